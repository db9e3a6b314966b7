"""Judges of consistency: one that is honest, and several that are not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import agent_of, request_of
from tests.graph_flow.telling.evaluation.test_judging import chapter, whole

Ask = Callable[[Sent], Reply]

_EYES = re.compile(r"[^.\n“”]*\b([A-Z]\w+)’s eyes were (\w+)[^.\n]*\.")
_NOTE = re.compile(r"^(F\d+) \(chapter (\d+)\) ([^“\n]*) “(.*)”$", re.MULTILINE)

ESSAY = "This is a fine chapter, and I should like to say a few words about it. " * 20


def judging(of_consistency: Ask) -> Callable[[Sent], Reply | None]:
    """Return a model that scores everything the same, and looks for contradictions as it is told to."""

    def answer(sent: Sent) -> Reply | None:
        match agent_of(sent):
            case "consistency_judge":
                return of_consistency(sent)
            case "chapter_analysis":
                return chapter()
        return whole()

    return answer


def chapter_in(sent: Sent) -> str:
    """Return the chapter, as it stands between the last two marks, also where an answer is asked for again."""
    asked = sent.messages[1]["content"]
    mark = asked.splitlines()[-1]
    return asked.split(mark)[-2].strip()


def notes_in(sent: Sent) -> list[tuple[str, str, str]]:
    """Return the label, fact and quote of each note in a request."""
    return [(label, fact, quote) for label, _, fact, quote in _NOTE.findall(request_of(sent))]


def found(
    facts: Sequence[Mapping[str, object]] = (), contradictions: Sequence[Mapping[str, str]] = ()
) -> Reply:
    """Return an answer."""
    return say_json({"facts": list(facts), "contradictions": list(contradictions)})


def honest(sent: Sent) -> Reply:
    """Note what colour eyes are, and say where they had another."""
    facts: list[Mapping[str, object]] = []
    wrong: list[Mapping[str, str]] = []
    notes = [(label, fact, quote) for label, fact, quote in notes_in(sent) if "eyes" in fact]
    for sentence in _EYES.finditer(chapter_in(sent)):
        name, colour = sentence.groups()
        quote = sentence.group().strip()
        for label, fact, earlier in notes:
            if name in fact and colour not in fact:
                why = f"{name}’s eyes have two colours."
                wrong.append(contradiction(quote, earlier, label, why=why))
        facts.append({"who": [name], "fact": f"{name}’s eyes are {colour}.", "quote": quote})
    return found(facts, wrong)


def inventing(sent: Sent) -> Reply:
    """Find a contradiction in every chapter, between words that nobody wrote."""
    here = chapter_in(sent).split(".")[0]
    invented = "She had never in her life owned a boat"
    given = [
        contradiction("He rowed her boat across the bay at dawn", invented),
        contradiction(here, invented),
        contradiction(invented, here),
        {"kind": "time", "why": "It simply does not add up."},
    ]
    return found(contradictions=given)


def repeating(sent: Sent) -> Reply:
    """Quote the same sentence on both sides."""
    here = chapter_in(sent).split(".")[0]
    notes = notes_in(sent)
    facts = [{"who": [], "fact": "Something is so.", "quote": here}]
    again = [contradiction(here, here), contradiction(f"{here}.", here.upper())]
    again += [contradiction(quote, quote, label) for label, _, quote in notes[:1]]
    return found(facts, again)


def writing_an_essay(_: Sent) -> Reply:
    """Write about the chapter instead of answering."""
    return say(ESSAY)


def contradiction(quote: str, earlier: str, fact: str = "", **more: str) -> dict[str, str]:
    """Return a contradiction as a judge gives it."""
    given = {"kind": "person", "why": "It cannot both be so.", "quote": quote, "earlier": earlier}
    return {**given, "fact": fact, **more}
