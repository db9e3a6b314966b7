"""Stories are given out until none is missing, whatever their workers do with them."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence

from graph_flow.command_line.experiments.driving import MOST_IN_VAIN, Driven, Driving
from graph_flow.command_line.experiments.records import Ended, Outcome


class Scripted:
    """Workers that leave each story as a test says, one way after the other, and then done."""

    def __init__(self, ways: Mapping[str, Sequence[Outcome]], room: int = 2) -> None:
        self._left: dict[str, deque[Outcome]] = defaultdict(deque)
        self._left.update({story: deque(left) for story, left in ways.items()})
        self._most = room
        self._at_work: list[str] = []
        self.started: Counter[str] = Counter()
        self.most_at_once = 0

    @property
    def room(self) -> int:
        return self._most - len(self._at_work)

    def start(self, story: str) -> None:
        self.started[story] += 1
        self._at_work.append(story)
        self.most_at_once = max(self.most_at_once, len(self._at_work))

    def wait(self, seconds: float) -> Sequence[Ended]:
        stories, self._at_work = self._at_work, []
        assert seconds > 0
        return [
            Ended(story=one, outcome=self._next(one), message=f"About {one}.") for one in stories
        ]

    def stop(self) -> None:
        raise AssertionError("nobody asked for it")

    close = stop

    def _next(self, story: str) -> Outcome:
        return self._left[story].popleft() if self._left[story] else Outcome.DONE


def driven(workers: Scripted, *stories: str) -> Driven:
    found = Driven()
    Driving(workers, found, beat=0.0).drive(stories, lambda _: None)
    return found


def test_no_more_are_given_out_than_there_is_room_for() -> None:
    workers = Scripted({}, room=3)

    found = driven(workers, *(f"s{number}" for number in range(10)))

    assert len(found.done) == 10
    assert workers.most_at_once == 3
    assert set(workers.started.values()) == {1}


def test_what_is_taken_stopped_or_dies_is_given_out_again() -> None:
    workers = Scripted({"a": [Outcome.BUSY, Outcome.STOPPED], "b": [Outcome.DIED, Outcome.DIED]})

    found = driven(workers, "a", "b", "c")

    assert (found.done, found.failed) == ({"a", "b", "c"}, {})
    assert workers.started == {"a": 3, "b": 3, "c": 1}


def test_what_fails_is_told_and_the_others_go_on() -> None:
    found = driven(Scripted({"a": [Outcome.FAILED]}), "a", "b")

    assert (found.done, found.failed) == ({"b"}, {"a": "About a."})


def test_story_over_which_every_worker_dies_is_given_up() -> None:
    workers = Scripted({"a": [Outcome.DIED] * (MOST_IN_VAIN + 5)})

    found = driven(workers, "a", "b")

    assert workers.started["a"] == MOST_IN_VAIN
    assert "workers died" in found.failed["a"]
    assert found.done == {"b"}


def test_worker_that_refuses_is_said_once_and_another_takes_the_story() -> None:
    found = driven(Scripted({"a": [Outcome.REFUSED, Outcome.REFUSED]}), "a")

    assert found.done == {"a"}
    assert found.notes == ["About a."]


def test_story_that_every_worker_refuses_is_given_up() -> None:
    found = driven(Scripted({"a": [Outcome.REFUSED] * (MOST_IN_VAIN + 5)}), "a")

    assert "workers refused it" in found.failed["a"]
