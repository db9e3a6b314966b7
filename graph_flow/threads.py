"""The life of threads: planted in one chapter, paid off in another (foreshadowing). Pure."""

from __future__ import annotations

from collections.abc import Collection

from store.ids import new_id
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, LinkKind, Thread, ThreadState
from store.models.prototype import Snapshot


def plant(title: str, chapter: int) -> Thread:
    """Return a new thread that a chapter opens."""
    return Thread(id=new_id(), title=title, state=ThreadState.PLANTED, planted_in=chapter)


def pay_off(snapshot: Snapshot, thread: str, payoff: str, plants: Collection[str] = ()) -> Delta:
    """Return the Delta by which an event pays off a thread, and the events that planted it.

    All are ids. The thread is paid off in the chapter that tells `payoff`.

    Raises:
        KeyError: if the thread or the event does not stand in the snapshot.
    """
    before = snapshot.get(Thread, thread)
    snapshot.get(Event, payoff)
    told = snapshot.told_in(payoff)
    after = before.model_copy(update={"state": ThreadState.PAID_OFF, "paid_off_in": told})
    links = (
        EventLink(id=new_id(), source=payoff, target=planted, link=LinkKind.PAYS_OFF)
        for planted in plants
    )
    return Delta(
        changes=(Change(before=before, after=after), *(Change(after=link) for link in links))
    )
