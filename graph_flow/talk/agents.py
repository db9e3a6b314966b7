"""The agents that talk with the writer; no task makes calls to them."""

from __future__ import annotations

from functools import partial

from graph_flow.prompting.agent import NO_CALLS, Agent, line_labels
from graph_flow.talk.answers import part_schema

_agent = partial(Agent, stage="talk", calls=lambda _: NO_CALLS)
_SAID = "What was said before"
_QUESTION = "Your question"

STORY_TALK = _agent(
    name="story_talk",
    label="Answers about the story",
    answer=lambda example: part_schema(line_labels(example.given["events"])),
    labels={
        "events": "What happened before",
        "past": "What happened before",
        "question": _QUESTION,
        "said": _SAID,
        "scenes": "Places",
        "spine": "How the story ends",
    },
)
PERSON_TALK = _agent(
    name="person_talk",
    label="A person of the story",
    labels={
        "belief": "The person",
        "condition": "The person",
        "fear": "The person",
        "memories": "What the person remembers",
        "motivation": "The person",
        "name": "The person",
        "own_past": "The person",
        "people": "People they know",
        "personality": "The person",
        "question": "What you say",
        "said": _SAID,
        "secret": "The person",
        "traits": "The person",
        "voice": "The person",
        "who": "The person",
    },
)

AGENTS = (STORY_TALK, PERSON_TALK)
