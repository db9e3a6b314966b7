"""The one form in which a Delta is stored, and the hash chain over it. Pure."""

from __future__ import annotations

import hashlib
import json

from store.models.base import dump_json
from store.models.delta import Delta
from store.models.prototype import AnyEntity

NO_PARENT = ""
"""The parent hash of a branch's first commit."""


def delta_json(delta: Delta) -> str:
    """Return a Delta as JSON text; equal Deltas give equal text.

    Fields that have their default are left out, so a model that gains a field with a default does
    not change the hash of any earlier Delta.
    """
    changes = [
        {"before": _entity_values(change.before), "after": _entity_values(change.after)}
        for change in delta.changes
    ]
    return dump_json({"changes": changes})


def parse_delta(text: str) -> Delta:
    """Return the Delta that `delta_json` wrote.

    Raises:
        ValueError: if the text is not a Delta.
    """
    return Delta.model_validate_json(text)


def chain_hash(parent_hash: str, content: tuple[int, str, str], delta: str) -> str:
    """Return the SHA-256, in hexadecimal, of a commit.

    `content` is chapter, kind and title; `delta` is the Delta's JSON text. Story, branch and date
    do not count, so an imported story has the same hashes.
    """
    chapter, kind, title = content
    document = dump_json(
        {"chapter": chapter, "kind": kind, "title": title, "delta": json.loads(delta)}
    )
    return hashlib.sha256(f"{parent_hash}\n{document}".encode()).hexdigest()


def _entity_values(entity: AnyEntity | None) -> dict[str, object] | None:
    if entity is None:
        return None
    return entity.model_dump(mode="json", exclude_defaults=True) | {"kind": entity.kind}
