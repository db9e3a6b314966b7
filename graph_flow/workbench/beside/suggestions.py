"""Suggestions for a text: asked for beside runs, kept, and taken or left by the writer alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zlib import crc32

from graph_flow.errors import WorkbenchError
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.suggesting.agents import PASSAGE
from graph_flow.telling.suggesting.passage import Passage
from graph_flow.telling.suggesting.suggesting import agent_for, suggest
from graph_flow.views import RunEstimate, SideWorkSeen
from graph_flow.workbench.estimates import estimate_call
from store.models.base import new_id
from store.models.desk.suggestion import WISH_LIMIT, Suggestion, SuggestionKind, SuggestionState
from store.models.manuscript import PARAGRAPH_BREAK, Draft
from store.open import Store

_BEFORE = 200
"""Characters before a passage by which it is found again."""
_SHARE = 0.3
"""The share of a model's window that a passage may take."""
_MOVED = "Your text has changed in the meantime. Select the passage again."


@dataclass(frozen=True)
class Spot:
    """A place in a chapter's text, in characters from `start` to `end`; `sum` is the text's CRC-32."""

    start: int
    end: int
    sum: int


@dataclass(frozen=True)
class SuggestionSeen:
    """A suggestion as it is kept, and the work on it, if there is or was any since the app was started."""

    suggestion: Suggestion
    work: SideWorkSeen | None


class SuggestionService:
    """What agents suggest for passages of a text. Nothing of it changes the text by itself."""

    def __init__(self, store: Store, side_work: SideWork, book: EndpointBook) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book

    def of(self, branch_id: str, chapter: int) -> list[SuggestionSeen]:
        """Return the suggestions for a chapter that were neither taken nor left, in order.

        How the work on each stands is read first: what comes meanwhile is then in the suggestion.
        """
        works = {
            one.id: self._side_work.seen(branch_id, _key(one))
            for one in self._store.suggestions.open(branch_id, chapter)
        }
        return [
            SuggestionSeen(one, works.get(one.id))
            for one in self._store.suggestions.open(branch_id, chapter)
        ]

    def estimate(self, branch_id: str) -> RunEstimate:
        """Return roughly what a suggestion uses, and which model makes it."""
        past = self._store.ledger.by_agent(branch_id)
        return estimate_call(PASSAGE, self._book.current(PASSAGE.name), past)

    def ask(
        self, branch_id: str, chapter: int, spot: Spot, kind: SuggestionKind, wish: str = ""
    ) -> Suggestion:
        """Ask for a suggestion; it comes beside runs.

        Raises:
            WorkbenchError: if the text is another one now, nothing is selected, nothing was said
                where words are needed, or it is too long.
            BranchBusy: if too much is under way.
            LibraryUnavailable: if it cannot be kept; nothing is asked then.
        """
        draft = self._draft(branch_id, chapter, spot)
        asked = Suggestion(
            id=new_id(),
            branch=branch_id,
            chapter=chapter,
            kind=kind,
            created=datetime.now(UTC),
            **self._place(draft, spot, kind),
            wish=_checked(wish, is_needed=kind.needs_wish),
        )
        self._side_work.expect_room(branch_id, _key(asked))
        self._store.suggestions.add(asked)
        self._begin(asked, draft)
        return asked

    def ask_as_planned(self, branch_id: str, chapter: int, paragraphs: Sequence[str]) -> Suggestion:
        """Ask for other words for some paragraphs, by their ids, whose scene has another plan now.

        Raises:
            WorkbenchError, BranchBusy, LibraryUnavailable: as `ask`.
        """
        draft = self._store.manuscript.draft(branch_id, chapter)
        if draft is None:
            raise WorkbenchError(_MOVED)
        return self.ask(branch_id, chapter, _around(draft, paragraphs), SuggestionKind.AS_PLANNED)

    def ask_again(self, suggestion_id: str, spot: Spot, wish: str = "") -> None:
        """Ask for a suggestion once more, with what the writer says of the one before.

        The passage is as it is now. What was finished before, and had not arrived, is found again.

        Raises:
            WorkbenchError, BranchBusy, LibraryUnavailable: as `ask`.
        """
        before = self._store.suggestions.get(suggestion_id)
        draft = self._draft(before.branch, before.chapter, spot)
        place = self._place(draft, spot, before.kind)
        wish = _checked(wish) or before.wish
        self._side_work.expect_room(before.branch, _key(before))
        is_answered = bool(before.text or before.options or before.doubt)
        changes = {**place, "wish": wish, "attempt": before.attempt + is_answered}
        asked = self._store.suggestions.change(
            suggestion_id, lambda kept: kept.model_copy(update=changes)
        )
        self._begin(asked, draft)

    def go_on_with(self, suggestion_id: str, option: int, spot: Spot) -> None:
        """Ask for the words of one of the things that could happen next, from 0; the others are left.

        Raises:
            WorkbenchError, BranchBusy, LibraryUnavailable: as `ask`.
        """
        chosen = self._store.suggestions.get(suggestion_id)
        if not 0 <= option < len(chosen.options):
            raise WorkbenchError("That is not among the options any more.")
        self.ask(chosen.branch, chosen.chapter, spot, SuggestionKind.GO_ON, chosen.options[option])
        self._settle(suggestion_id, SuggestionState.TAKEN)

    def take(self, suggestion_id: str) -> None:
        """Note that the writer has put a suggestion into the text."""
        self._settle(suggestion_id, SuggestionState.TAKEN)

    def leave(self, suggestion_id: str) -> None:
        """Leave the text as it is; work on the suggestion stops."""
        left = self._settle(suggestion_id, SuggestionState.LEFT)
        self._side_work.stop(left.branch, _key(left))

    def stop(self, suggestion_id: str) -> None:
        """Stop the work on a suggestion; it stays."""
        asked = self._store.suggestions.get(suggestion_id)
        self._side_work.stop(asked.branch, _key(asked))

    def wait(self, suggestion_id: str, seconds: float | None = None) -> bool:
        """Wait until a suggestion has come or failed; return False if that takes too long."""
        asked = self._store.suggestions.get(suggestion_id)
        return self._side_work.wait(asked.branch, _key(asked), seconds)

    def _settle(self, suggestion_id: str, state: SuggestionState) -> Suggestion:
        return self._store.suggestions.change(
            suggestion_id, lambda kept: kept.model_copy(update={"state": state})
        )

    def _draft(self, branch_id: str, chapter: int, spot: Spot) -> Draft:
        draft = self._store.manuscript.draft(branch_id, chapter)
        if draft is None or _checksum(draft.text) != spot.sum:
            raise WorkbenchError(_MOVED)
        return draft

    def _place(self, draft: Draft, spot: Spot, kind: SuggestionKind) -> dict[str, object]:
        """Return where a passage is and what it says, without the spaces around it."""
        if not 0 <= spot.start <= spot.end <= len(draft.text):
            raise WorkbenchError(_MOVED)
        if kind.is_at_cursor:
            start, quote = spot.end, ""
        else:
            selected = draft.text[spot.start : spot.end]
            quote = selected.strip()
            start = spot.start + len(selected) - len(selected.lstrip())
        if not (quote or kind.is_at_cursor):
            raise WorkbenchError("Select some words of your text first.")
        window = self._book.current(agent_for(kind).name).context_window
        if estimate_tokens(quote) > _SHARE * window:
            raise WorkbenchError(
                f"The passage has {len(quote):,} characters, more than the model in use can take in "
                "at once. Select less, or choose a larger model in Settings."
            )
        return {"quote": quote, "before": draft.text[max(0, start - _BEFORE) : start], "at": start}

    def _begin(self, asked: Suggestion, draft: Draft) -> None:
        end = asked.at + len(asked.quote)
        passage = Passage(draft.text[: asked.at], asked.quote, draft.text[end:])
        as_of = self._store.contents.as_of(asked.branch, asked.chapter)
        step = f"{as_of}/suggestion/{asked.id}/{asked.attempt}"

        def work(context: StoryContext) -> str:
            made = suggest(context, asked, draft, passage, step)
            answer = {"text": made.text, "options": made.options, "doubt": made.doubt}
            self._store.suggestions.change(asked.id, lambda kept: kept.model_copy(update=answer))
            return asked.id

        self._side_work.begin(asked.branch, _key(asked), work)


def _around(draft: Draft, paragraphs: Collection[str]) -> Spot:
    """Return the place from the first to the last of some paragraphs."""
    at = [place for place, one in enumerate(draft.paragraphs) if one.id in paragraphs]
    if not at:
        raise WorkbenchError(_MOVED)
    texts = draft.text.split(PARAGRAPH_BREAK)
    before = PARAGRAPH_BREAK.join(texts[: at[0]])
    upto = PARAGRAPH_BREAK.join(texts[: at[-1] + 1])
    start = len(before) + len(PARAGRAPH_BREAK) if at[0] else 0
    return Spot(start, len(upto), _checksum(draft.text))


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


def _key(suggestion: Suggestion) -> str:
    return f"suggestion/{suggestion.id}"


def _checked(wish: str, *, is_needed: bool = False) -> str:
    said = wish.strip()
    if is_needed and not said:
        raise WorkbenchError("Say in a few words what you want of the passage.")
    if len(said) > WISH_LIMIT:
        raise WorkbenchError(
            f"What you say has {len(said):,} characters; {WISH_LIMIT:,} are the most. Shorten it."
        )
    return said
