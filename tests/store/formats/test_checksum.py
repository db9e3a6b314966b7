"""A story file says what it holds, so no bit of it changes unseen."""

from __future__ import annotations

import json

import pytest

from store.errors import BundleInvalid
from store.formats.bundle import export_bundle, import_bundle
from store.formats.checksum import check_checksum, has_checksum, with_checksum
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch, Story
from store.open import Store
from tests.store.builders import CHAPTER_ONE, adding, begin, filed, go_on

PLACES = 300
ENDING = 80
"""The bytes of the checksum itself, and a little more."""


@pytest.fixture
def content(store: Store, story: Story, branch: Branch) -> bytes:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    plan = WritingPlan(id="plan", branch=branch.id, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door")
    store.manuscript.update_draft_text(draft.id, "The door was locked. 守塔人 " * 40)
    store.manuscript.finish_draft(draft.id)
    return export_bundle(store, story.id).encode()


def test_no_bit_flips_unseen(store: Store, content: bytes) -> None:
    """At 300 places, each another bit of its byte; and every bit of the checksum itself."""
    spread = [(at * len(content) // PLACES, at % 8) for at in range(PLACES)]
    ending = [(at, bit) for at in range(len(content) - ENDING, len(content)) for bit in range(8)]
    accepted = []
    said = set()
    for at, bit in spread + ending:
        flipped = bytearray(content)
        flipped[at] ^= 1 << bit
        try:
            import_bundle(store, bytes(flipped))
        except BundleInvalid as refusal:
            said.add(str(refusal))
        else:
            accepted.append((at, bit))
    assert accepted == []
    assert all(words.endswith(".") for words in said)
    assert len(store.library.stories()) == 1
    assert import_bundle(store, content).title == "The Lamp Room"


def test_refusal_says_what_to_do(store: Store, content: bytes) -> None:
    with pytest.raises(BundleInvalid, match=r"checksum does not fit\. Nothing was imported"):
        import_bundle(store, content.replace(b"The door was", b"The Door was"))


def test_file_from_before_checksums_is_read(store: Store, story: Story, content: bytes) -> None:
    former = {**json.loads(content), "version": 1}
    del former["checksum"]
    copy = import_bundle(store, json.dumps(former))
    old, new = (store.library.main_branch(one.id).id for one in (story, copy))
    assert [one.hash for one in store.prototype.commits(new)] == [
        one.hash for one in store.prototype.commits(old)
    ]


def test_file_from_before_checksums_must_still_fit_together(store: Store, content: bytes) -> None:
    former = {**json.loads(content), "version": 1}
    del former["checksum"]
    former["branches"][0]["commits"][1]["title"] = "Another"
    with pytest.raises(BundleInvalid, match="chapter 1 does not follow"):
        import_bundle(store, json.dumps(former))


@pytest.mark.parametrize("version", [1, 2])
def test_checksum_is_there_if_and_only_if_the_version_has_one(
    store: Store, content: bytes, version: int
) -> None:
    document = {**json.loads(content), "version": version}
    if version == 1:
        file = filed(document)
    else:
        del document["checksum"]
        file = json.dumps(document)
    with pytest.raises(BundleInvalid, match="checksum cannot be read"):
        import_bundle(store, file)


def test_empty_line_at_the_end_does_no_harm(store: Store, content: bytes) -> None:
    assert has_checksum(content + b"\r\n")
    check_checksum(content + b"\r\n")
    assert import_bundle(store, content + b"\r\n").title == "The Lamp Room"


def test_checksum_is_the_last_field() -> None:
    file = with_checksum('{"version":2}')
    assert list(json.loads(file)) == ["version", "checksum"]
    check_checksum(file.encode())
