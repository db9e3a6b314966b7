"""Arrange the chapters of the book: add, split, merge, move and rename them; the plot stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.views import MergedChapter
from store.database.rows import now
from store.errors import TextTooLong
from store.models.base import new_id
from store.models.desk.contents import ContentsEntry
from store.models.form import Form
from store.models.manuscript import TEXT_LIMIT, Draft, DraftState
from store.open import Store
from store.texts.stretches import Stretch, coming_to, joined, place_of, stretch_of

_TITLE = "New chapter"
_REARRANGED = (
    "The chapters have been rearranged, perhaps in another window. This is how they stand now; "
    "nothing was changed."
)
_TYPED_MEANWHILE = (
    "The text of this chapter has changed, perhaps in another window, or is not saved yet. This is how "
    "it stands now; nothing was changed. Please try again."
)
_NO_TEXT = "A chapter that has no text yet cannot be split or merged. Write it first."
_IS_WRITTEN = "The chapter is being written. Wait until it is done, or stop it first."


class Seen(NamedTuple):
    """What a window shows while its writer arranges: the order of the chapters, and the text they are in."""

    order: Sequence[int]
    text: str | None = None


class ContentsService:
    """The chapters of a book, arranged in one transaction each, or left as they are.

    Each change raises `WorkbenchError` if the order or the text is not the one that was `Seen`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def add_chapter(self, branch_id: str, after: int, seen: Seen) -> Draft:
        """Begin an empty chapter, typed by hand, behind another; return its text."""
        with self._store.database.write():
            entries = self._entries(branch_id, seen, after)
            form = self._store.library.story_of(branch_id).brief.form
            made = self._begin(branch_id, form, Stretch([], []))
            entries.insert(_at(entries, after) + 1, ContentsEntry(chapter=made.chapter))
            self._store.contents.keep(branch_id, entries)
            return made

    def split(self, branch_id: str, chapter: int, paragraph: int, seen: Seen) -> Draft:
        """Make a chapter of a text from a paragraph on, counted from 0; return the text behind.

        Its paragraphs keep their ids, events and notes. What was merged into it goes along.

        Raises:
            WorkbenchError: if nothing stands before that paragraph, or from it on.
        """
        with self._store.database.write():
            entries = self._entries(branch_id, seen, chapter)
            draft = self._draft(branch_id, chapter, seen)
            text = stretch_of(draft)
            if not 0 < paragraph < len(text.paragraphs):
                raise WorkbenchError(
                    "Put the cursor into the paragraph with which the new chapter is to begin; it "
                    "cannot be the first."
                )
            made = self._begin(branch_id, draft.form, text.part(paragraph))
            self._store.notes.move(branch_id, chapter, made.chapter, paragraph)
            self._change(branch_id, draft, text.part(0, paragraph))
            entries = _led_on(entries, chapter, made)
            entries.insert(_at(entries, chapter) + 1, ContentsEntry(chapter=made.chapter))
            self._store.contents.keep(branch_id, entries)
            return made

    def merge(self, branch_id: str, chapter: int, seen: Seen) -> Draft:
        """Put the text of the next chapter at the end of one; return the new text.

        The next one loses its place in the book; nothing of it is deleted.

        Raises:
            WorkbenchError: if no chapter stands behind it, or one of them has no text.
            TextTooLong: if they are too long for one chapter.
        """
        with self._store.database.write():
            entries = self._entries(branch_id, seen, chapter)
            first = self._draft(branch_id, chapter, seen)
            order = self._store.contents.order(branch_id)
            behind = order[order.index(chapter) + 1 :][:1]
            if not behind:
                raise WorkbenchError("This is the last chapter; none stands behind it.")
            second = self._draft(branch_id, behind[0])
            came = coming_to(first, second)
            merged = self._joined(branch_id, first, second, came)
            self._store.notes.move(branch_id, second.chapter, chapter)
            out = {
                "merged_into": chapter,
                "paragraph": came.known[0].id if came.known else None,
                "is_plotted": self._is_plotted(branch_id, second.chapter),
            }
            self._store.contents.keep(
                branch_id,
                [
                    one.model_copy(update=out)
                    if one.chapter == second.chapter
                    else _pointing(one, second.chapter, chapter)
                    for one in entries
                ],
            )
            return merged

    def merged(self, branch_id: str, chapter: int) -> list[MergedChapter]:
        """Return what was merged into a chapter and can be taken apart again, in order.

        So can what was merged into a chapter that has no place in the book any more.
        """
        entries = self._store.contents.entries(branch_id)
        order = set(self._store.contents.order(branch_id))
        draft = self._store.manuscript.draft(branch_id, chapter)
        known = {one.id for one in draft.paragraphs} if draft else set()
        found = []
        for one in entries:
            is_here = one.merged_into == chapter
            is_lost = one.merged_into is not None and one.merged_into not in order
            if one.chapter in order or not (is_here or is_lost):
                continue
            title = one.title or self._title(branch_id, one.chapter)
            is_there = is_here and (one.paragraph is None or one.paragraph in known)
            found.append(MergedChapter(chapter=one.chapter, title=title, is_there=is_there))
        return found

    def take_apart(self, branch_id: str, chapter: int, seen: Seen) -> Draft:
        """Give a merged chapter its place again, behind the one it came to, with the text from there on.

        If that text is not there any more, the chapter comes back with the text that it had.

        Raises:
            WorkbenchError: if it is not merged.
        """
        with self._store.database.write():
            entries = self._entries(branch_id, seen)
            entry = next((one for one in entries if one.chapter == chapter), None)
            if entry is None or entry.merged_into is None:
                raise WorkbenchError(_REARRANGED)
            own = self._store.manuscript.require(branch_id, chapter)
            into = entry.merged_into
            whole = self._store.manuscript.draft(branch_id, into)
            at = place_of(whole, entry.paragraph)
            if whole is not None and at is not None and into in seen.order:
                own = self._take_out(branch_id, self._draft(branch_id, into, seen), own, at)
                entries = _led_on(entries, into, own)
            entries = [one for one in entries if one.chapter != chapter]
            entries.insert(_at(entries, into) + 1, entry.put_in())
            self._store.contents.keep(branch_id, entries)
            return own

    def move(self, branch_id: str, chapter: int, by: int, seen: Seen) -> None:
        """Move a chapter by so many places, back if negative, at most to the beginning or end."""
        with self._store.database.write():
            entries = self._entries(branch_id, seen, chapter)
            order = list(seen.order)
            to = max(0, min(order.index(chapter) + by, len(order) - 1))
            if order[to] == chapter:
                return
            entry = entries.pop(_at(entries, chapter))
            entries.insert(_at(entries, order[to]) + (by > 0), entry)
            self._store.contents.keep(branch_id, entries)

    def rename(self, branch_id: str, chapter: int, title: str, seen: Seen) -> None:
        """Call a chapter something else in the book; nothing gives it back the title that it had.

        Raises:
            ValidationError: if the title is too long.
        """

        def named(one: ContentsEntry) -> ContentsEntry:
            values = one.model_dump() | {"title": " ".join(title.split()) or None}
            return ContentsEntry.model_validate(values) if one.chapter == chapter else one

        self._rewrite(branch_id, seen, named)

    def remove(self, branch_id: str, chapter: int, seen: Seen) -> None:
        """Take an empty chapter that was typed by hand out of the book.

        Raises:
            WorkbenchError: if it has text, or is part of the plot.
        """
        with self._store.database.write():
            self._entries(branch_id, seen)
            draft = self._draft(branch_id, chapter, seen)
            if draft.text.strip() or self._is_plotted(branch_id, chapter):
                raise WorkbenchError("Only a chapter without plot and without text can be removed.")

            def removed(one: ContentsEntry) -> ContentsEntry:
                is_it = one.chapter == chapter
                return one.model_copy(update={"is_removed": True}) if is_it else one

            self._rewrite(branch_id, seen, removed)

    def is_out(self, branch_id: str, chapter: int) -> bool:
        """Return whether a chapter was merged into another or removed, and has no place in the book."""
        entries = self._store.contents.entries(branch_id)
        is_out = any(one.is_out for one in entries if one.chapter == chapter)
        return is_out and chapter not in self._store.contents.order(branch_id)

    def _rewrite(
        self, branch_id: str, seen: Seen, change: Callable[[ContentsEntry], ContentsEntry]
    ) -> None:
        with self._store.database.write():
            entries = self._entries(branch_id, seen)
            self._store.contents.keep(branch_id, [change(one) for one in entries])

    def _entries(
        self, branch_id: str, seen: Seen, chapter: int | None = None
    ) -> list[ContentsEntry]:
        """Return the contents if they are still as seen, and a chapter is among them, if one is named."""
        is_there = chapter is None or chapter in seen.order
        if not is_there or list(seen.order) != self._store.contents.order(branch_id):
            raise WorkbenchError(_REARRANGED)
        return self._store.contents.entries(branch_id)

    def _draft(self, branch_id: str, chapter: int, seen: Seen | None = None) -> Draft:
        draft = self._store.manuscript.draft(branch_id, chapter)
        if draft is None:
            raise WorkbenchError(_NO_TEXT)
        if draft.state is DraftState.WRITING:
            raise WorkbenchError(_IS_WRITTEN)
        if seen is not None and seen.text not in {None, draft.text}:
            raise WorkbenchError(_TYPED_MEANWHILE)
        return draft

    def _begin(self, branch_id: str, form: Form, text: Stretch) -> Draft:
        return self._store.manuscript.add_version(
            Draft(
                id=new_id(),
                branch=branch_id,
                chapter=self._store.contents.new_key(branch_id),
                version=1,
                form=form,
                title=_TITLE,
                state=DraftState.EDITED,
                created=now(),
                is_by_hand=True,
                **text.values,
            )
        )

    def _change(self, branch_id: str, draft: Draft, text: Stretch, **more: object) -> Draft:
        """Keep another text of a chapter as a new version."""
        own = {"branch": branch_id, "state": DraftState.EDITED, "created": now()}
        values = {**own, "remarks": (), "revises": None, **text.values, **more}
        return self._store.manuscript.add_version(draft.model_copy(update=values))

    def _joined(self, branch_id: str, first: Draft, second: Draft, came: Stretch) -> Draft:
        if not came.paragraphs:
            return first
        merged = joined(stretch_of(first), came)
        if len(merged.text) > TEXT_LIMIT:
            raise TextTooLong(TEXT_LIMIT)
        told = tuple(dict.fromkeys([*first.told, *second.told]))
        echoes = tuple(dict.fromkeys([*first.echoes, *second.echoes]))
        return self._change(branch_id, first, merged, told=told, echoes=echoes)

    def _take_out(self, branch_id: str, whole: Draft, own: Draft, at: int) -> Draft:
        """Keep the text from a paragraph on as that of its own chapter, without the break before it."""
        text = stretch_of(whole)
        rest = text.part(at)
        self._store.notes.move(branch_id, whole.chapter, own.chapter, at)
        self._change(branch_id, whole, text.before(at))
        return self._change(branch_id, own, rest)

    def _is_plotted(self, branch_id: str, chapter: int) -> bool:
        head = self._store.prototype.head(branch_id)
        return head is not None and chapter <= head.chapter

    def _title(self, branch_id: str, chapter: int) -> str:
        draft = self._store.manuscript.draft(branch_id, chapter)
        return draft.title if draft is not None else f"Chapter {chapter}"


def _at(entries: Sequence[ContentsEntry], chapter: int) -> int:
    """Return where a chapter stands among others.

    Raises:
        WorkbenchError: if it does not.
    """
    for at, one in enumerate(entries):
        if one.chapter == chapter:
            return at
    raise WorkbenchError(_REARRANGED)


def _led_on(entries: Sequence[ContentsEntry], chapter: int, part: Draft) -> list[ContentsEntry]:
    """Return the contents once part of a chapter's text is in another: so is what came with that part."""
    ids = {one.id for one in part.paragraphs}
    return [
        _pointing(one, chapter, part.chapter) if one.paragraph in ids else one for one in entries
    ]


def _pointing(entry: ContentsEntry, chapter: int, to: int) -> ContentsEntry:
    is_it = entry.merged_into == chapter and entry.chapter != to
    return entry.model_copy(update={"merged_into": to}) if is_it else entry
