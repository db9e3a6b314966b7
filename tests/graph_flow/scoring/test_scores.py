"""Scoring: what the scorer and the continuity check say of candidates, and what is made of bad answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import permutations
from random import Random
from typing import Any

import pytest

from graph_flow.cognition.continuity.finding import Evidence, Finding, Rule, Severity, key_of
from graph_flow.scoring.answers import RuleScore
from graph_flow.scoring.scores import (
    ScoringBasis,
    asked_rules,
    continuity_score,
    reason_unasked,
    scores_by,
)
from store.models.base import new_id
from store.models.cast import Relationship, RelationshipKind
from store.models.delta import Delta
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState, Score
from store.models.run import Initialize, PlotChapters, RunState
from store.models.scoring import CONTINUITY_KEY, ScoringRule, general_rules
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.invention import invent
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import asked, enumerated, request_of, saying
from tests.wording import says

GO_ON = {"gates": dict.fromkeys(Gate, GateMode.GO_ON)}
CHECKED = general_rules()[-1]
LONG = CHECKED.model_copy(update={"top": 10})


def finding(severity: Severity, *ids: str) -> Finding:
    return Finding(
        key="-".join((severity, *ids)),
        rule=Rule.DEAD,
        severity=severity,
        chapters=(1,),
        sentence=f"A {severity}.",
        evidence=tuple(Evidence(id=one, label=one, chapter=1) for one in ids),
    )


DOUBT, CONTRADICTION = (
    finding(Severity.DOUBT, "mara", "e1"),
    finding(Severity.CONTRADICTION, "e2"),
)

# What findings leave of a score


@pytest.mark.parametrize(
    ("rule", "findings", "value"),
    [
        (CHECKED, [], 5),
        (CHECKED, [DOUBT], 4),
        (CHECKED, [CONTRADICTION], 3),
        (CHECKED, [DOUBT, CONTRADICTION], 2),
        (CHECKED, [CONTRADICTION] * 9, 1),
        (LONG, [], 10),
        (LONG, [DOUBT], 7),
        (LONG, [CONTRADICTION, CONTRADICTION], 1),
        (CHECKED.model_copy(update={"top": 2}), [DOUBT], 1),
    ],
)
def test_findings_take_off_by_their_gravity(
    rule: ScoringRule, findings: list[Finding], value: int
) -> None:
    assert continuity_score(rule, findings, ()).value == value


def test_gravest_finding_is_the_reason_and_events_are_the_evidence() -> None:
    score = continuity_score(CHECKED, [DOUBT, CONTRADICTION, DOUBT], ["e1", "e2", "e3"])

    assert score.reason == "A contradiction. And 2 more."
    assert score.evidence == ("e1", "e2")
    assert (score.key, score.top, score.weight) == (CONTINUITY_KEY, 5, 0.1)
    assert "contradicts the story so far" in continuity_score(CHECKED, [], ()).reason


def test_long_sentence_still_fits() -> None:
    endless = DOUBT.model_copy(update={"sentence": "x" * 900})

    assert len(continuity_score(CHECKED, [endless, endless], ()).reason) <= 400


def test_rule_without_weight_is_neither_asked_nor_scored() -> None:
    rules = [rule.model_copy(update={"weight": 0.0}) for rule in general_rules()]
    said = {rule.key: RuleScore(3) for rule in rules}

    assert asked_rules(rules) == []
    assert scores_by(rules, ScoringBasis(Delta(), {}, said, [])) == []
    assert len(asked_rules(general_rules())) == 10


def test_writer_is_told_who_scores_where_the_scorer_is_not_asked() -> None:
    off = [rule.model_copy(update={"weight": 0.0}) for rule in general_rules()]

    assert (
        reason_unasked([*off[:-1], CHECKED]) == "By your rules, only the continuity check counts."
    )
    assert reason_unasked(off) == "By your rules, nothing is scored."


# Through the machine


def founded(desk: Desk, **settings: Any) -> Story:
    story = desk.story(settings=GO_ON | {"goals": 3, "roles": 1} | settings)
    desk.do(story, Initialize())
    return story


def plotted(desk: Desk, store: Store, chapters: int = 1, **settings: Any) -> list[Candidate]:
    """Plot chapters, and return the candidates of the last one."""
    story = founded(desk, **settings)
    run = desk.do(story, PlotChapters(chapters=chapters, is_autopilot=True))
    assert run.state is RunState.DONE
    return store.proposals.candidates(run.branch, chapters)


def cards(sent: Sent) -> dict[str, Any]:
    """Return the schema of each candidate's part of the answer."""
    properties: dict[str, Any] = (sent.schema or {})["properties"]
    return properties


def answer(sent: Sent, score: Callable[[str, str, Mapping[str, Any]], object]) -> dict[str, Any]:
    """Answer with a score for each candidate and rule; `score` gets the schema of the number."""
    return {
        label: {
            key: f"the worth of {label}"
            if key == "Why"
            else {
                "events": part["properties"]["events"]["items"]["enum"][:1],
                "reason": f"{label} shows {key}",
                "score": score(label, key, part["properties"]["score"]),
            }
            for key, part in card["properties"].items()
        }
        for label, card in cards(sent).items()
    }


def scripted(score: Callable[[str, str, Mapping[str, Any]], object]) -> Callable[[Sent], Reply]:
    return lambda sent: say_json(answer(sent, score))


def top_for(label: str) -> Callable[[str, str, Mapping[str, Any]], object]:
    """Score so that whatever bears one label wins."""
    return lambda at, _key, number: number["maximum"] if at == label else 1


@pytest.mark.parametrize("label", ["A", "C"])
def test_scorer_that_likes_one_place_does_not_always_favour_the_same_goal(
    desk: Desk, store: Store, label: str
) -> None:
    desk.server.answer = saying(scorer=scripted(top_for(label)))
    chapters = 8

    plotted(desk, store, chapters)

    branch = store.library.main_branch(desk.workbench.library.stories()[0].story.id).id
    best: Counter[int] = Counter()
    for chapter in range(1, chapters + 1):
        candidates = store.proposals.candidates(branch, chapter)
        totals = [one.total or 0 for one in candidates]
        best[totals.index(max(totals))] += 1
    assert len(best) > 1
    assert max(best.values()) < chapters


def test_scores_come_back_to_the_candidates_that_they_are_of(desk: Desk, store: Store) -> None:
    desk.server.answer = saying(scorer=scripted(top_for("B")))

    candidates = plotted(desk, store)

    [sent] = asked(desk.server, "scorer")
    told = request_of(sent)
    for candidate in candidates:
        label = told[told.index(f". {candidate.title}\n") - 1]
        assert candidate.comment == f"the worth of {label}"
        of_agent = [score for score in candidate.scores if score.key != CONTINUITY_KEY]
        assert {score.value for score in of_agent} == {5 if label == "B" else 1}
        assert of_agent[0].reason == f"{label} shows {of_agent[0].key}"


def test_scores_name_the_events_that_show_them(desk: Desk, store: Store) -> None:
    desk.server.answer = saying(scorer=scripted(lambda *_: 3))

    for candidate in plotted(desk, store, roles=2):
        events = [one for one in candidate.delta.additions() if isinstance(one, Event)]
        first = min(events, key=lambda event: event.position)
        for score in candidate.scores:
            assert score.evidence == (() if score.key == CONTINUITY_KEY else (first.id,))


def test_story_s_own_rules_and_scales_are_asked(desk: Desk, store: Store) -> None:
    own = ScoringRule(
        key="mood",
        name="Mood",
        question="How dark is it?",
        weight=1,
        top=10,
        low="sun",
        high="night",
    )
    off = general_rules()[0].model_copy(update={"weight": 0.0})
    desk.server.answer = saying(scorer=scripted(lambda *at: at[2]["maximum"]))

    candidates = plotted(desk, store, rules=(off, general_rules()[1], own))

    [sent] = asked(desk.server, "scorer")
    assert "mood (Mood): How dark is it? (from 1 = sun to 10 = night)" in request_of(sent)
    assert list(cards(sent)["A"]["properties"]) == ["Why", "main_line", "mood"]
    for candidate in candidates:
        assert [(one.key, one.value, one.top) for one in candidate.scores] == [
            ("main_line", 5, 5),
            ("mood", 10, 10),
        ]
        assert candidate.total == 5


def test_scores_stay_as_they_were_given_when_rules_change(desk: Desk, store: Store) -> None:
    candidates = plotted(desk, store)
    story = desk.workbench.library.stories()[0].story

    desk.workbench.scoring.weigh_rules(story.id, {"conflict": 0.9})

    kept = store.proposals.candidates(candidates[0].branch, 1)
    assert [one.scores for one in kept] == [one.scores for one in candidates]
    assert [one.total for one in kept] == [one.total for one in candidates]


def test_small_model_is_asked_for_numbers_alone(desk: Desk, store: Store) -> None:
    small = Endpoint(
        base_url=desk.server.url,
        model="scripted",
        context_window=4_096,
        strength=ModelStrength.SMALL,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=small))

    candidates = plotted(desk, store)

    [sent] = asked(desk.server, "scorer")
    card = cards(sent)["A"]["properties"]
    assert {one["type"] for key, one in card.items() if key != "Why"} == {"integer"}
    assert len(request_of(sent)) < 2_000
    assert all(len(one.scores) == 11 for one in candidates)
    assert all(one.comment for one in candidates)


def test_single_candidate_is_scored_too(desk: Desk, store: Store) -> None:
    [alone] = plotted(desk, store, goals=1)

    assert len(alone.scores) == 11
    assert len(asked(desk.server, "scorer")) == 1


def test_without_rules_for_the_agent_it_is_not_asked(desk: Desk, store: Store) -> None:
    candidates = plotted(desk, store, rules=(CHECKED,))

    assert asked(desk.server, "scorer") == []
    assert [[score.key for score in one.scores] for one in candidates] == [[CONTINUITY_KEY]] * 3
    assert all("continuity check" in one.comment for one in candidates)


# Continuity


def estranged(desk: Desk, **settings: Any) -> Story:
    """Begin a story in which everybody dislikes everybody a little."""
    story = founded(desk, **settings)
    branch = desk.branch(story)
    now = desk.workbench.prototype.snapshot(branch)
    others = {id_: one for id_, one in now.entities.items() if not isinstance(one, Relationship)}
    pairs = permutations([person.id for person in now.characters], 2)
    relationships = [
        Relationship(id=new_id(), source=one, target=other, tie=RelationshipKind.ENMITY, strength=1)
        for one, other in pairs
    ]
    entities = {**others, **{relationship.id: relationship for relationship in relationships}}
    desk.workbench.story.edit(branch, now.model_copy(update={"entities": entities}))
    return story


def leaping(sent: Sent) -> Reply:
    """Answer for a role who hates somebody from one chapter to the next without meeting anybody."""
    said = invent(sent.schema or {}, Random(sent.prompt))
    said["together_with"] = []
    said["relationship"] |= {
        "toward": enumerated(sent, "relationship", "toward")[0],
        "tie": "enmity",
        "strength": 10,
    }
    return say_json(said)


def continuity_of(candidate: Candidate) -> Score:
    return next(score for score in candidate.scores if score.key == CONTINUITY_KEY)


def test_findings_of_the_continuity_check_count(desk: Desk, store: Store) -> None:
    story = estranged(desk)
    desk.server.answer = saying(role=leaping)

    run = desk.do(story, PlotChapters())

    for candidate in store.proposals.candidates(run.branch, 1):
        score = continuity_of(candidate)
        assert (score.value, score.top, score.weight) == (4, 5, 0.1)
        assert "jumps from 1 to 10 in chapter 1" in score.reason


def test_what_the_writer_means_to_be_so_does_not_count(desk: Desk, store: Store) -> None:
    story = estranged(desk)
    for relationship in desk.workbench.prototype.snapshot(desk.branch(story)).relationships:
        desk.workbench.continuity.mark_intended(
            story.id, key_of(Rule.JUMP, [relationship.id], [1]), "It was planned"
        )
    desk.server.answer = saying(role=leaping)

    run = desk.do(story, PlotChapters())

    for candidate in store.proposals.candidates(run.branch, 1):
        score = continuity_of(candidate)
        assert score.value == 5
        assert says(score.reason, "nothing")


def test_what_is_meant_so_at_the_gate_counts_no_more_and_counts_again(
    desk: Desk, store: Store
) -> None:
    story = estranged(desk, gates=GO_ON["gates"] | {Gate.CANDIDATES: GateMode.ASK})
    desk.server.answer = saying(role=leaping)
    run = desk.do(story, PlotChapters())
    view = desk.workbench.plot.candidates(run.branch, 1)[0]
    [found] = view.findings
    before = view.candidate

    desk.workbench.continuity.mark_intended(story.id, found.finding.key, "It was planned")

    after = store.proposals.candidate(before.id)
    assert (continuity_of(before).value, continuity_of(after).value) == (4, 5)
    assert after.scores[:-1] == before.scores[:-1]
    assert after.comment == before.comment
    assert (after.total or 0) > (before.total or 0)
    desk.workbench.continuity.take_back_intended(story.id, found.finding.key)
    assert store.proposals.candidate(before.id) == before


def test_what_is_told_keeps_its_scores_whatever_is_meant_so(desk: Desk, store: Store) -> None:
    story = estranged(desk)
    desk.server.answer = saying(role=leaping)
    run = desk.do(story, PlotChapters())
    told = store.proposals.candidates(run.branch, 1)

    for view in desk.workbench.continuity.findings(run.branch):
        desk.workbench.continuity.mark_intended(story.id, view.finding.key, "It was planned")

    assert desk.workbench.continuity.findings(run.branch)
    assert store.proposals.candidates(run.branch, 1) == told


# Bad answers


def test_score_out_of_range_is_asked_for_again_with_its_error(desk: Desk, store: Store) -> None:
    tries: list[Sent] = []

    def too_high_at_first(sent: Sent) -> Reply:
        tries.append(sent)
        return scripted(lambda *_: 9 if len(tries) == 1 else 2)(sent)

    desk.server.answer = saying(scorer=too_high_at_first)

    candidates = plotted(desk, store)

    assert len(tries) == 2
    assert "less than or equal to 5" in tries[1].messages[-1]["content"]
    assert all(continuity_of(one).value == 5 for one in candidates)
    assert {score.value for one in candidates for score in one.scores[:-1]} == {2}


def test_what_stays_unusable_is_lost_alone(desk: Desk, store: Store) -> None:
    desk.server.answer = saying(
        scorer=scripted(
            lambda label, key, _: 9 if (label, key) in {("A", "conflict"), ("B", "emotion")} else 4
        )
    )

    candidates = plotted(desk, store)

    assert len(asked(desk.server, "scorer")) == 3, "it is asked a bounded number of times"
    for candidate in candidates:
        keys = [score.key for score in candidate.scores]
        assert len(keys) == 9
        assert not {"conflict", "emotion"} & set(keys), "they would compare what was not compared"
        assert candidate.comment.startswith("the worth of")


@pytest.mark.parametrize(
    "reply",
    [
        say("I like the first one best."),
        say_json({"A": {"Why": "good", "conflict": 5}}),
        say_json({}),
    ],
)
def test_without_a_usable_score_only_continuity_is_left(
    desk: Desk, store: Store, reply: Reply
) -> None:
    desk.server.answer = saying(scorer=reply)

    for candidate in plotted(desk, store):
        assert [score.key for score in candidate.scores] == [CONTINUITY_KEY]
        assert "not scored" in candidate.comment


def test_example_sent_back_is_no_judgement(desk: Desk, store: Store) -> None:
    def parrot(sent: Sent) -> Reply:
        said = answer(sent, lambda *_: 4)
        said["A"]["Why"] = "Ottoline is ashamed"
        return say_json(said)

    desk.server.answer = saying(scorer=parrot)

    for candidate in plotted(desk, store):
        assert [score.key for score in candidate.scores] == [CONTINUITY_KEY]


def test_endpoint_that_fails_for_the_scorer_pauses_the_run(desk: Desk, store: Store) -> None:
    story = founded(desk)
    desk.server.answer = saying(scorer=refuse(401, "no such key"))

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.FAILED
    assert not any(one.scores for one in store.proposals.candidates(run.branch, 1))
    desk.server.answer = saying()
    assert desk.settle(desk.workbench.runs.resume(run.branch)).state is RunState.DONE
    assert all(len(one.scores) == 11 for one in store.proposals.candidates(run.branch, 1))


def test_candidate_that_was_given_up_is_not_scored(desk: Desk, store: Store) -> None:
    relays: list[str] = []

    def silent_once(sent: Sent) -> Reply | None:
        relays.append(sent.messages[3]["content"])
        return say("No.") if relays[-1] == relays[0] else None

    desk.server.answer = saying(role=silent_once)

    candidates = plotted(desk, store)

    states = Counter(one.state for one in candidates)
    assert states[CandidateState.GIVEN_UP] == 1
    [sent] = asked(desk.server, "scorer")
    assert sorted(cards(sent)) == ["A", "B"]
    for candidate in candidates:
        assert bool(candidate.scores) is (candidate.state is not CandidateState.GIVEN_UP)
