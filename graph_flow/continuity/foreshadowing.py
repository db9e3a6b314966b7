"""What is prepared is told before it is paid off, and is paid off in the end. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from graph_flow.continuity.chronicle import Chronicle, Scope
from graph_flow.continuity.evidence import evidence
from graph_flow.continuity.finding import Finding, Rule, Severity, key_of
from store.models.plot import Event, EventLink, LinkKind, Thread, ThreadState


def find_payoffs(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield payoffs that are told before what prepares them, and threads paid off out of nothing.

    For the reader the order of the telling counts, not that of the story.
    """
    for link in scope.in_kind(chronicle, EventLink):
        yield from _of_link(chronicle, link)
    for thread in scope.in_kind(chronicle, Thread):
        yield from _of_thread(chronicle, thread)


def find_open(chronicle: Chronicle) -> Iterator[Finding]:
    """Yield the threads that are still open; to be asked when the story is at its end."""
    for thread in open_threads(chronicle):
        planted = thread.planted_in
        since = "" if planted is None else f", planted in chapter {planted},"
        yield Finding(
            key=key_of(Rule.OPEN, [thread.id], []),
            rule=Rule.OPEN,
            severity=Severity.DOUBT,
            chapters=(chronicle.chapter if planted is None else planted,),
            sentence=f"The thread “{thread.title}”{since} is still open at the end.",
            evidence=evidence(chronicle, thread),
        )


def open_threads(chronicle: Chronicle) -> list[Thread]:
    """Return the threads that are planted, and neither paid off nor dropped."""
    threads = chronicle.of_kind(Thread)
    return [thread for thread in threads if thread.state is ThreadState.PLANTED]


def _of_link(chronicle: Chronicle, link: EventLink) -> Iterator[Finding]:
    if link.link is LinkKind.PAYS_OFF:
        plant, payoff = chronicle.find(Event, link.target), chronicle.find(Event, link.source)
    elif link.link is LinkKind.FORESHADOWS:
        plant, payoff = chronicle.find(Event, link.source), chronicle.find(Event, link.target)
    else:
        return
    if plant is None or payoff is None:
        return
    if chronicle.telling_order(payoff) >= chronicle.telling_order(plant):
        return
    chapters = chronicle.told_in(payoff.id), chronicle.told_in(plant.id)
    yield Finding(
        key=key_of(Rule.PAYOFF, [link.id], chapters),
        rule=Rule.PAYOFF,
        severity=Severity.CONTRADICTION,
        chapters=tuple(sorted(set(chapters))),
        sentence=f"“{payoff.title}” (chapter {chapters[0]}) is told before “{plant.title}” "
        f"(chapter {chapters[1]}), which prepares it.",
        evidence=evidence(chronicle, payoff, plant),
    )


def _of_thread(chronicle: Chronicle, thread: Thread) -> Iterator[Finding]:
    planted, paid_off = thread.planted_in, thread.paid_off_in
    if planted is not None and paid_off is not None and paid_off < planted:
        chapters: tuple[int, ...] = (paid_off, planted)
        what = f"is paid off in chapter {paid_off}, before chapter {planted} plants it"
    elif thread.state is ThreadState.PAID_OFF and not chronicle.was_planted(thread):
        chapters = (chronicle.told_in(thread.id) if paid_off is None else paid_off,)
        what = "is paid off, and no chapter plants it"
    else:
        return
    yield Finding(
        key=key_of(Rule.PAYOFF, [thread.id], chapters),
        rule=Rule.PAYOFF,
        severity=Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"The thread “{thread.title}” {what}.",
        evidence=evidence(chronicle, thread),
    )
