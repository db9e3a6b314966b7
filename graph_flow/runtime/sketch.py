"""The sketch from which a story is worked out."""

from __future__ import annotations

from store.models.proposals import Sketch
from store.open import Store


def sketch_of(store: Store, branch_id: str) -> Sketch | None:
    """Return the sketch from which the story on a branch is worked out; None if there is none.

    A branch that asks "what if" leads away from it, and so does every branch of that.
    """
    branch = store.library.branch(branch_id)
    while branch.parent is not None and not branch.what_if:
        branch = store.library.branch(branch.parent)
    configuration = store.proposals.configuration(branch_id)
    if configuration is None or branch.what_if:
        return None
    return configuration.sketch_of(configuration.idea)
