"""The telling: writing notes, plans, and every version of each chapter's text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta

from store.database.database import Database
from store.database.rows import column, from_row, now, to_row
from store.errors import ChangedElsewhere, NotFound, TextTooLong
from store.models.base import dump_json, new_id
from store.models.form import Form
from store.models.manuscript import (
    TEXT_LIMIT,
    Draft,
    DraftState,
    FactKey,
    Recollection,
    ReviewRemark,
    TextParagraph,
    ThreadCue,
    ToldScene,
    WritingNotes,
    WritingPlan,
    text_fingerprint,
    told_scenes,
)
from store.records.edits.marks import Staleness
from store.records.paragraphs import begun, carried
from store.records.sharing import IS_SHARED, SHARED, SharedRecords, along, newest_branch, set_aside
from store.text import count_words

_NEXT_ATTEMPT = f"""
SELECT 1 + max(
    (SELECT coalesce(max(attempt), 0) FROM ({along("writing_notes")} WHERE t.chapter = :chapter)),
    (SELECT coalesce(max(attempt), 0) FROM ({along("plans")} WHERE t.chapter = :chapter))
) AS attempt
"""
_NOTES = f"{along('writing_notes')} WHERE t.chapter = :chapter AND t.attempt = :attempt"
_IS_THERE = "(t.branch = :branch OR t.state <> 'writing')"
"""A branch does not share a text that was still being written when it started."""

_NEWEST_OF_EACH = f"""
{SHARED}
SELECT t.chapter, t.state, t.words, t.scenes, max(t.version) AS version
FROM line CROSS JOIN drafts AS t ON t.branch = line.branch_id
   AND {IS_SHARED} AND t.newest_branch < line.before_branch
WHERE {_IS_THERE} GROUP BY t.chapter ORDER BY t.chapter
"""
_THIS_VERSION = "t.chapter = :chapter AND t.version = :version"
_OF_CHAPTER = "(:chapter IS NULL OR t.chapter = :chapter)"
_NEWEST = f"""
{SHARED}, newest AS (
    SELECT t.branch, max(t.version) AS version
    FROM line CROSS JOIN drafts AS t ON t.branch = line.branch_id
       AND {IS_SHARED} AND t.newest_branch < line.before_branch
    WHERE t.chapter = :chapter AND (:form IS NULL OR t.form = :form) AND {_IS_THERE}
)
SELECT t.* FROM newest CROSS JOIN drafts AS t
    ON t.branch = newest.branch AND t.chapter = :chapter AND t.version = newest.version
"""
"""Which version is the newest is found without the texts; a chapter can have hundreds of long ones."""
_TOLD = f"""
{SHARED}
SELECT t.told, t.chapter, max(t.version) AS version
FROM line CROSS JOIN drafts AS t ON t.branch = line.branch_id
   AND {IS_SHARED} AND t.newest_branch < line.before_branch
WHERE {_IS_THERE} AND t.chapter IN (SELECT value FROM json_each(:chapters)) GROUP BY t.chapter
"""
"""What the newest text of each chapter tells: the columns are those of the row with the maximum."""
_TEXTS = """
SELECT chapter, version, form, title, text, fingerprint FROM drafts
WHERE branch = :branch AND chapter >= :since AND fingerprint IS NOT NULL
ORDER BY chapter, version
"""
_WRITTEN = """
INSERT INTO writing_days (story, day, words)
SELECT story, :day, :words FROM branches WHERE id = :branch
ON CONFLICT (story, day) DO UPDATE SET words = words + excluded.words
"""
_TOUCH = """
UPDATE stories SET touched = :moment WHERE id = (SELECT story FROM branches WHERE id = :branch)
"""
_WORDS_OF_DAY = """
SELECT words FROM writing_days
WHERE day = :day AND story = (SELECT story FROM branches WHERE id = :branch)
"""
_BY_AGENT = """
t.chapter = :chapter AND t.state <> 'writing'
AND (t.plan IS NOT NULL OR t.revises IS NOT NULL OR t.state IN ('drafted', 'revised'))
AND (:text IS NULL OR t.text = :text) ORDER BY t.version DESC
"""
_TITLE_LIMIT = 80
_ONE_VERSION = timedelta(minutes=10)
"""For how long what is typed into a text belongs to one version of it."""
_TO_EXCHANGE = 2
_TAKEN_OUT = 200
"""Characters that can be taken out of a text within one version."""


class Manuscript:
    """Keeps how each chapter is told; no version of a text is ever overwritten by another.

    What a branch shares with its parent is read as the branch's own; its `branch` says whose it is.
    What is written on a branch is its own.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._plans = SharedRecords(
            database, WritingPlan, "plans", "This chapter has no writing plan yet."
        )
        self._staleness = Staleness(database)
        self._drafts = SharedRecords(database, Draft, "drafts", "This chapter has no text yet.")

    def next_attempt(self, branch: str, chapter: int) -> int:
        """Return the number of the next attempt at telling a chapter, from 1."""
        row = self._database.row(_NEXT_ATTEMPT, {"branch": branch, "chapter": chapter})
        return row["attempt"] if row else 1

    def notes(self, branch: str, chapter: int, attempt: int) -> WritingNotes:
        """Return what Recall and Thread found for an attempt; empty notes if nothing was saved."""
        values = {"branch": branch, "chapter": chapter, "attempt": attempt}
        row = self._database.row(_NOTES, values)
        empty = WritingNotes(branch=branch, chapter=chapter, attempt=attempt)
        return empty if row is None else from_row(WritingNotes, row)

    def save_notes(self, notes: WritingNotes) -> WritingNotes:
        """Keep the notes of an attempt, in place of earlier ones."""
        key = ("branch", "chapter", "attempt")
        row = to_row(notes) | {"newest_branch": newest_branch(self._database, notes.branch)}
        with self._database.write() as database:
            condition = " AND ".join(f"t.{column} = :{column}" for column in key)
            set_aside(database, "writing_notes", condition, {column: row[column] for column in key})
            database.table("writing_notes").upsert(row, pk=key)
        return notes

    def save_recall(
        self, branch: str, chapter: int, attempt: int, recall: Sequence[Recollection]
    ) -> WritingNotes:
        """Keep what to recall; the thread cues of the attempt, found at the same time, stay."""
        with self._database.write():
            notes = self.notes(branch, chapter, attempt)
            found = {"branch": branch, "recall": tuple(recall)}
            return self.save_notes(notes.model_copy(update=found))

    def save_cues(
        self, branch: str, chapter: int, attempt: int, cues: Sequence[ThreadCue]
    ) -> WritingNotes:
        """Keep which threads to touch; the recollections of the attempt stay."""
        with self._database.write():
            notes = self.notes(branch, chapter, attempt)
            found = {"branch": branch, "threads": tuple(cues)}
            return self.save_notes(notes.model_copy(update=found))

    def save_plan(self, plan: WritingPlan) -> WritingPlan:
        """Keep a plan, in place of the one of the same attempt, whose id is kept.

        The plan of a new attempt is not stale, so the marks of the chapter's plan are settled.
        """
        with self._database.write():
            old = self._plans.first(
                "branch = :branch AND chapter = :chapter AND attempt = :attempt", to_row(plan)
            )
            if old is None:
                is_taken = self._plans.first("id = :id", {"id": plan.id}) is not None
                fresh = plan.model_copy(update={"id": new_id()}) if is_taken else plan
                self._staleness.settle_made_anew(plan.branch, "plan", str(plan.chapter))
                return self._plans.add(fresh)
            kept = plan.model_copy(update={"id": old.id})
            return self._plans.revise(old.id, **to_row(kept))

    def change_plan(
        self, plan: WritingPlan, change: Callable[[WritingPlan], WritingPlan]
    ) -> WritingPlan:
        """Change a plan as it is kept now; a newer attempt's plan stays as it is."""
        with self._database.write():
            newest = self.plan(plan.branch, plan.chapter)
            is_same = newest is not None and newest.id == plan.id
            changed = change(newest if newest is not None and is_same else plan)
            return self.save_plan(changed.model_copy(update={"is_edited": True}))

    def take_back_plan(self, branch: str, chapter: int) -> WritingPlan:
        """Put the plan of the attempt before in the place of the newest, and that one in its place.

        Raises:
            NotFound: if the chapter has had only one plan.
        """
        with self._database.write():
            plans = self.plans(branch, chapter)
            if len(plans) < _TO_EXCHANGE:
                raise NotFound("This chapter has had no other plan.")
            newest, before = plans[:_TO_EXCHANGE]
            own = {"id", "attempt", "branch"}
            self.save_plan(before.model_copy(update=newest.model_dump(exclude=own)))
            return self.save_plan(newest.model_copy(update=before.model_dump(exclude=own)))

    def plan(self, branch: str, chapter: int) -> WritingPlan | None:
        """Return the newest plan of a chapter, or None if there is none yet."""
        return next(iter(self.plans(branch, chapter)), None)

    def plans(self, branch: str, chapter: int | None = None) -> list[WritingPlan]:
        """Return the plans of a chapter or of the whole line, the newest attempt first."""
        return self._plans.along(
            branch, f"{_OF_CHAPTER} ORDER BY t.chapter, t.attempt DESC", {"chapter": chapter}
        )

    def start_draft(self, plan: WritingPlan, title: str) -> Draft:
        """Return the draft of a plan: a new version, or the one begun earlier.

        A title longer than 80 characters is cut; without one, the chapter's number is used.
        """
        with self._database.write():
            begun = self._drafts.first("plan = :plan", {"plan": plan.id})
            if begun is not None:
                return begun
            named = title.strip()[:_TITLE_LIMIT].strip() or f"Chapter {plan.chapter}"
            draft = Draft(
                id=new_id(),
                branch=plan.branch,
                chapter=plan.chapter,
                version=self._next_version(plan.branch, plan.chapter),
                form=plan.form,
                title=named,
                text="",
                state=DraftState.WRITING,
                created=now(),
                scenes=told_scenes(plan),
            )
            return self._drafts.add(draft, plan=plan.id, **_facts(draft))

    def begin_by_hand(self, branch: str, chapter: int, form: Form) -> Draft:
        """Begin a chapter's text that the writer types; one that is there is a version like any other."""
        with self._database.write():
            return self.add_version(
                Draft(
                    id=new_id(),
                    branch=branch,
                    chapter=chapter,
                    version=1,
                    form=form,
                    title=f"Chapter {chapter}",
                    text="",
                    state=DraftState.EDITED,
                    created=now(),
                    paragraphs=begun(""),
                    is_by_hand=True,
                )
            )

    def update_draft_text(self, draft_id: str, text: str) -> Draft:
        """Keep what is written so far; a draft that is finished stays as it is.

        Raises:
            NotFound: if there is no such draft.
        """
        with self._database.write():
            written = self._drafts.get(draft_id).model_copy(update={"text": text})
            return self._while_writing(draft_id, text=text, **_facts(written))

    def finish_draft(
        self,
        draft_id: str,
        told: Sequence[FactKey] = (),
        events: Sequence[Sequence[str]] = (),
    ) -> Draft:
        """Mark a draft as finished, and settle the marks that say the text is stale.

        `told` is what it is meant to tell the reader, until somebody reads it for that; `events` are
        those that each of its paragraphs tells.

        Raises:
            NotFound: if there is no such draft.
        """
        with self._database.write():
            draft = self._drafts.get(draft_id)
            if draft.state is DraftState.WRITING:
                self._staleness.settle_made_anew(draft.branch, "draft", str(draft.chapter))
            stamp = self._drafts.stamp(draft.branch)
            return self._while_writing(
                draft_id,
                state=DraftState.DRAFTED.value,
                newest_branch=stamp,
                told=dump_json(list(told)),
                paragraphs=_as_json(_telling(draft.text, events)),
            )

    def save_review(
        self,
        draft_id: str,
        told: Sequence[FactKey],
        remarks: Sequence[ReviewRemark],
        echoes: Sequence[str] = (),
    ) -> Draft:
        """Keep what the reviewer of a text says of it: see `Draft`.

        Raises:
            NotFound: if there is no such text.
        """
        said = dump_json([remark.model_dump(mode="json") for remark in remarks])
        kept = {"told": dump_json(list(told)), "echoes": dump_json(list(echoes))}
        return self._drafts.revise(draft_id, remarks=said, **kept)

    def save_revision(self, reviewed: Draft, text: str, told: Sequence[FactKey] = ()) -> Draft:
        """Keep a reviewed text, revised, as a new version; `told` is what it tells besides.

        If the writer has changed the text in the meantime, theirs stays the newest.

        Raises:
            NotFound: if the chapter has no text.
        """
        with self._database.write():
            newest = self._drafts.require(self.draft(reviewed.branch, reviewed.chapter))
            if newest.id != reviewed.id or newest.text == text:
                return newest
            revised = {
                "text": text,
                "state": DraftState.REVISED,
                "created": now(),
                "told": tuple(dict.fromkeys([*newest.told, *told])),
                "remarks": (),
                "revises": newest.version,
                "paragraphs": _carried(newest, text),
            }
            return self.add_version(newest.model_copy(update=revised))

    def refuse_revision(self, branch: str, revision: Draft) -> Draft:
        """Take back a revision: the text before it is the newest again, as a version of its own.

        Raises:
            NotFound: if there is no such text.
        """
        before = self.version(branch, revision.chapter, revision.revises or 0)
        with self._database.write():
            newest = self.require(branch, revision.chapter)
            if newest.text == before.text:
                return newest
            edited = _edited(newest, branch, before.text)
            return self.add_version(edited.model_copy(update={"told": before.told}))

    def told_in(self, branch: str, chapters: Sequence[int]) -> set[FactKey]:
        """Return what the reader knows from the texts of some chapters."""
        return set(self.told_by(branch, chapters))

    def told_by(self, branch: str, chapters: Sequence[int]) -> dict[FactKey, int]:
        """Return what the reader knows from the texts of some chapters, and the last that tells it."""
        values = {"branch": branch, "chapters": dump_json(list(chapters))}
        told = {row["chapter"]: row["told"] for row in self._database.rows(_TOLD, values)}
        return {key: one for one in chapters if one in told for key in json.loads(told[one])}

    def approve_draft(self, branch: str, chapter: int) -> Draft:
        """Mark the newest text of a chapter as approved.

        Raises:
            NotFound: if the chapter has no text.
        """
        with self._database.write():
            newest = self.require(branch, chapter)
            if newest.branch != branch:
                approved = {"branch": branch, "state": DraftState.APPROVED, "created": now()}
                return self.add_version(newest.model_copy(update=approved))
            return self._drafts.revise(newest.id, state=DraftState.APPROVED.value)

    def save_text(self, branch: str, chapter: int, text: str) -> Draft:
        """Keep the writer's text of a chapter as a new version, unless nothing changed.

        Raises:
            NotFound: if the chapter has no text to edit.
        """
        with self._database.write():
            newest = self.require(branch, chapter)
            if newest.text == text:
                return newest
            return self.add_version(_edited(newest, branch, text))

    def replace_text(
        self, branch: str, chapter: int, found: str, typed: str, day: date | None = None
    ) -> Draft:
        """Keep what the writer has typed so far, beginning with the text that was `found`.

        For some minutes, what is typed belongs to one version, unless much is taken out at once or the
        writer has given that version a name. The words count among those of the `day`, if there is one.

        Raises:
            ChangedElsewhere: if the newest text is another one.
            NotFound: if the chapter has no text to edit.
            TextTooLong: if it has more characters than a chapter can have.
        """
        if len(typed) > TEXT_LIMIT:
            raise TextTooLong(TEXT_LIMIT)
        with self._database.write() as database:
            newest = self.require(branch, chapter)
            if newest.text == typed:
                return newest
            if newest.text != found:
                raise ChangedElsewhere(newest.text)
            if day is not None:
                more = count_words(typed) - newest.words
                values = {"branch": branch, "day": day.isoformat(), "words": more}
                database.execute(_WRITTEN, values)
            is_little = len(found) - len(typed) <= _TAKEN_OUT
            if is_little and newest.name is None and _is_being_typed(newest, branch):
                changed = newest.model_copy(update={"text": typed})
                self._touch(branch)
                paragraphs = _as_json(_carried(newest, typed))
                return self._drafts.revise(
                    newest.id, text=typed, paragraphs=paragraphs, **_facts(changed)
                )
            return self.save_text(branch, chapter, typed)

    def unwritten(self, branch: str, chapters: Iterable[int]) -> list[int]:
        """Return which of some chapters of a branch have no finished text, in their order."""
        written = self.written_chapters(branch)
        none = (DraftState.WRITING, 0)
        facts = ((chapter, *written.get(chapter, none)) for chapter in chapters)
        return [
            chapter for chapter, state, words in facts if state is DraftState.WRITING or not words
        ]

    def written_on(self, branch: str, day: date) -> int:
        """Return how many words the writer has added to a branch's story on a day, less those taken out."""
        row = self._database.row(_WORDS_OF_DAY, {"branch": branch, "day": day.isoformat()})
        return row["words"] if row else 0

    def set_aside(self, branch: str, chapter: int, text: str) -> None:
        """Keep a text as a version of its chapter, and the newest one as the newest.

        Raises:
            NotFound: if the chapter has no text.
        """
        with self._database.write():
            newest = self.require(branch, chapter)
            self.save_text(branch, chapter, text)
            self.save_text(branch, chapter, newest.text)

    def add_version(self, draft: Draft) -> Draft:
        """Keep a draft as the newest version of its chapter, under an id of its own and without a name."""
        with self._database.write():
            version = self._next_version(draft.branch, draft.chapter)
            own = {"id": new_id(), "version": version, "name": None}
            newest = draft.model_copy(update=own)
            self._touch(draft.branch)
            return self._drafts.add(newest, **_facts(newest))

    def import_draft(self, draft: Draft) -> Draft:
        """Keep a draft of an imported story, under its own id and number."""
        return self._drafts.add(draft, **_facts(draft))

    def draft(self, branch: str, chapter: int, form: Form | None = None) -> Draft | None:
        """Return the newest text of a chapter, in one form or in any; None if there is none."""
        which = {"branch": branch, "chapter": chapter, "form": form.value if form else None}
        row = self._database.row(_NEWEST, which)
        return None if row is None else from_row(Draft, row)

    def require(self, branch: str, chapter: int) -> Draft:
        """Return the newest text of a chapter.

        Raises:
            NotFound: if there is none.
        """
        return self._drafts.require(self.draft(branch, chapter))

    def version(self, branch: str, chapter: int, version: int) -> Draft:
        """Return one version of a chapter's text.

        Raises:
            NotFound: if there is no such version.
        """
        which = {"chapter": chapter, "version": version}
        found = self._drafts.first_along(branch, f"{_THIS_VERSION} AND {_IS_THERE}", which)
        return self._drafts.require(found)

    def by_agent(self, branch: str, chapter: int, text: str | None = None) -> Draft | None:
        """Return the newest text of a chapter that an agent wrote; only one that says `text`, if given."""
        return self._drafts.first_along(branch, _BY_AGENT, {"chapter": chapter, "text": text})

    def save_events(self, draft: Draft, events: Sequence[Sequence[str]]) -> Draft:
        """Keep which events each paragraph of a text tells; of a text that has changed, nothing.

        Raises:
            NotFound: if there is no such text.
        """
        with self._database.write():
            kept = self._drafts.get(draft.id)
            if kept.text != draft.text or len(kept.paragraphs) != len(events):
                return kept
            told = [
                one.model_copy(update={"events": tuple(some)})
                for one, some in zip(kept.paragraphs, events, strict=True)
            ]
            return self._drafts.revise(kept.id, paragraphs=_as_json(told))

    def save_scenes(self, branch: str, chapter: int, scenes: Sequence[ToldScene]) -> Draft:
        """Keep what the newest text of a chapter tells of the scenes of its plan.

        Raises:
            NotFound: if the chapter has no text.
        """
        with self._database.write():
            newest = self._drafts.require(self.draft(branch, chapter))
            if newest.branch != branch:
                own = {"branch": branch, "scenes": tuple(scenes), "created": now()}
                return self.add_version(newest.model_copy(update=own))
            return self._drafts.revise(newest.id, scenes=_as_json(scenes))

    def versions(self, branch: str, chapter: int | None = None) -> list[Draft]:
        """Return all versions of a chapter, or of the whole line, the newest first."""
        return self._drafts.along(
            branch,
            f"{_OF_CHAPTER} AND {_IS_THERE} ORDER BY t.chapter, t.version DESC",
            {"chapter": chapter},
        )

    def written_chapters(self, branch: str) -> dict[int, tuple[DraftState, int]]:
        """Return, for each chapter that has text, the state of its newest version and its words."""
        rows = self._database.rows(_NEWEST_OF_EACH, {"branch": branch})
        return {row["chapter"]: (DraftState(row["state"]), row["words"]) for row in rows}

    def told_events(self, branch: str) -> dict[int, tuple[str, ...]]:
        """Return, for each chapter with a finished text, the events that its newest version tells.

        Of a text of which that is not known, such as one typed by hand, there are none.
        """
        return {
            row["chapter"]: tuple(
                event for scene in json.loads(row["scenes"]) for event in scene["events"]
            )
            for row in self._database.rows(_NEWEST_OF_EACH, {"branch": branch})
            if row["words"] and row["state"] != DraftState.WRITING.value
        }

    def planned_chapters(self, branch: str) -> set[int]:
        """Return the chapters that have a plan."""
        rows = self._database.rows(along("plans", "t.chapter"), {"branch": branch})
        return {row["chapter"] for row in rows}

    def chapters_written_after(self, branch: str, moment: datetime | None) -> set[int]:
        """Return the chapters whose text was begun or edited after a moment; None: all."""
        since = {"branch": branch, "since": "" if moment is None else column(moment)}
        query = f"{along('drafts', 't.chapter')} WHERE {_IS_THERE} AND t.created > :since"
        return {row["chapter"] for row in self._database.rows(query, since)}

    def damaged(self, branch: str, since: int = 0) -> list[tuple[int, int]]:
        """Return the chapter and version of each of a branch's own texts that is not as written.

        Only chapters from `since` on are read.
        """
        values = {"branch": branch, "since": since}
        return [
            (chapter, version)
            for chapter, version, form, title, text, known in self._database.tuples(_TEXTS, values)
            if known != text_fingerprint(chapter, version, form, title, text)
        ]

    def _touch(self, branch: str) -> None:
        """Note that somebody is at work on the story, which is listed for that and backed up."""
        with self._database.write() as database:
            database.execute(_TOUCH, {"branch": branch, "moment": column(now())})

    def _while_writing(self, draft_id: str, **values: str | int) -> Draft:
        with self._database.write():
            draft = self._drafts.get(draft_id)
            if draft.state is not DraftState.WRITING:
                return draft
            return self._drafts.update(draft_id, **values)

    def _next_version(self, branch: str, chapter: int) -> int:
        newest = self.draft(branch, chapter)
        return newest.version + 1 if newest else 1


def _is_being_typed(draft: Draft, branch: str) -> bool:
    """Return whether what is typed now still belongs to this version."""
    is_own = draft.state is DraftState.EDITED and draft.branch == branch
    return is_own and now() - draft.created < _ONE_VERSION


def _telling(text: str, events: Sequence[Sequence[str]]) -> tuple[TextParagraph, ...]:
    """Return the paragraphs of a text with the events that they tell, if these are known."""
    paragraphs = begun(text)
    if len(events) != len(paragraphs):
        return paragraphs
    return tuple(
        one.model_copy(update={"events": tuple(told)})
        for one, told in zip(paragraphs, events, strict=True)
    )


def _edited(newest: Draft, branch: str, text: str) -> Draft:
    """Return the version of a chapter that has another text, which no agent wrote."""
    edited = {
        "branch": branch,
        "text": text,
        "state": DraftState.EDITED,
        "created": now(),
        "remarks": (),
        "revises": None,
        "paragraphs": _carried(newest, text),
    }
    return newest.model_copy(update=edited)


def _carried(draft: Draft, text: str) -> tuple[TextParagraph, ...]:
    return carried(draft.text, draft.paragraphs, text)


def _as_json(parts: Sequence[TextParagraph | ToldScene]) -> str:
    return dump_json([one.model_dump(mode="json") for one in parts])


def _facts(draft: Draft) -> dict[str, str | int]:
    """Return what is kept beside a text, and changes with it."""
    return {"words": draft.words, "fingerprint": draft.fingerprint}
