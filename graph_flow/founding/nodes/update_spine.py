"""Stage 2, after each chapter: does the story still go where its author wanted it to?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import event_line
from graph_flow.founding.agents import SPINE_UPDATE
from graph_flow.founding.answers import SPINE_UPDATE_SCHEMA, SpineUpdate
from graph_flow.founding.cast import redrafted, spine_from, with_updates
from graph_flow.founding.following import follows, spine_origin
from graph_flow.founding.plan import answer_tokens
from graph_flow.prompting.length import StoryLength, is_last, is_short, length_of, place_words
from graph_flow.prompting.spine import merged_turns, turns_ahead
from graph_flow.prompting.text import cut_inside, shortened
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import diff
from store.deltas.locks import fit
from store.errors import DeltaInvalid, StoryMoved
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.fields import field_words, shown_fields
from store.models.plot import Participation, Spine
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot

_EVENTS_READ, _PEOPLE_READ = 12, 12
_TOKENS_OF_EVENTS, _TOKENS_OF_PEOPLE = 600, 550
_MORE = {StoryLength.SHORT: 4, StoryLength.MIDDLE: 2, StoryLength.LONG: 1}
"""How many times as much of each is shown: what is written out anew must have been seen whole."""


def update_spine(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Commit what a chapter changes in the spine, and in what its people want, hide and must face.

    Only an able model is asked, and only if there is a spine. What the writer has typed or locked
    stays. It runs alongside the goals of the next chapter, so nobody waits for it; these still go by
    the spine as it was. After the last chapter the end becomes the one that was chosen: by it the
    whole story is told. A story that ends as its sketch tells it is told already.
    """
    context, chapter = runtime.context, state["chapter"]
    if context.strength(SPINE_UPDATE) is ModelStrength.SMALL:
        return {}
    if is_last(chapter, context.settings) and follows(context.store, context.branch, chapter):
        return {}
    before = _authors_part(context, chapter)
    if SPINE_ID not in before.entities:
        return {}
    answer = context.ask_whole(_job(context, chapter, before), SPINE_UPDATE_SCHEMA)
    if answer is not None:
        _commit(context, chapter, before, _updated(before, answer))
    return {}


def _authors_part(context: StoryContext, chapter: int) -> Snapshot:
    """Return the spine and the people, as of a chapter: of a longer story, those who take part in it."""
    people: list[str] = []
    if not is_short(context.settings):
        told = context.store.excerpts.of_chapter(context.branch, chapter)
        people = [part.character for part in told.of(Participation)]
    if not people:
        cast = context.store.prototype.cast(context.branch)[:_PEOPLE_READ]
        people = [person.id for person in cast]
    return context.store.prototype.partial(context.branch, chapter, {SPINE_ID, *people})


def _job(context: StoryContext, chapter: int, before: Snapshot) -> Job:
    round_ = context.store.proposals.next_round(context.branch, chapter) - 1
    told = context.store.excerpts.newest(context.branch, chapter, _EVENTS_READ)
    spine = before.spine
    if not is_short(context.settings):
        spine = spine.model_copy(update={"turns": turns_ahead(spine.turns, chapter)})
    more = _MORE[length_of(context.settings, chapter)]
    return Job(
        agent=SPINE_UPDATE,
        step=f"{chapter}/{round_}/spine",
        words="Looking again at where the story goes",
        variables={
            "place": place_words(chapter, context.settings),
            "is_serial": context.settings.planned is None,
            "is_last": is_last(chapter, context.settings),
            "long_term_goal": told.foundation.long_term_goal,
            "spine": [
                f"{field}: {text}"
                for field in shown_fields(Spine)
                if (text := getattr(spine, field))
            ],
            "people": shortened(
                [_person(one) for one in before.characters], more * _TOKENS_OF_PEOPLE
            ),
            "events": shortened(
                [event_line(told, event, with_spoken=True) for event in told.events_of(chapter)],
                more * _TOKENS_OF_EVENTS,
                shorten=cut_inside,
            ),
        },
        turn=chapter,
        tokens=answer_tokens(context, SPINE_UPDATE),
    )


def _person(person: Character) -> str:
    said = {
        "wants": person.motivation,
        "hides": person.secrets,
        "fears": person.fear,
        "is sure": person.misbelief,
        "arc": person.arc,
    }
    return f"{person.name}: {' | '.join(f'{name}: {text}' for name, text in said.items() if text)}"


def _updated(before: Snapshot, answer: SpineUpdate) -> Snapshot:
    said = spine_from(answer)
    if said.turns:
        turns = merged_turns(before.spine.turns, said.turns)
        said = said.model_copy(update={"turns": turns})
    spine = redrafted(said, before.spine)
    people = with_updates(before.characters, answer.people)
    entities: dict[str, AnyEntity] = {one.id: one for one in people}
    return before.model_copy(update={"entities": {**before.entities, **entities, SPINE_ID: spine}})


def _commit(context: StoryContext, chapter: int, before: Snapshot, after: Snapshot) -> None:
    """Commit the difference as an edit, unless the story has moved on or back in the meantime."""
    delta = diff(before, after)
    store = context.store
    try:
        with store.database.write():
            head = store.prototype.head(context.branch)
            if delta.is_empty or head is None or head.chapter != chapter:
                return
            delta, _ = fit(delta, store.prototype.around(context.branch, [delta]))
            if delta.is_empty:
                return
            store.prototype.commit(
                context.branch,
                delta,
                chapter=chapter,
                kind="edit",
                title=f"The spine after chapter {chapter}",
                origin=spine_origin(context.run, chapter),
            )
    except (DeltaInvalid, StoryMoved):
        return  # What the writer did meanwhile goes first; the next chapter looks again.
    store.runs.add_note(context.run, _note(chapter, before.spine, after.spine))


def _note(chapter: int, before: Spine, after: Spine) -> str:
    changed = [
        field_words(after, field)
        for field in shown_fields(Spine)
        if getattr(before, field) != getattr(after, field)
    ]
    what = f" ({', '.join(changed)})" if changed else ""
    return (
        f"After chapter {chapter}, the plan of where the story goes was brought up to date{what}. "
        "The change is on History, where you can undo it."
    )
