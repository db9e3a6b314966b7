"""Workers that are processes of this machine, each of which makes one story after the other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from graph_flow.command_line.experiments.records import Ended, Outcome
from graph_flow.command_line.experiments.shared.files import SCRATCH, scratch_folder
from graph_flow.command_line.experiments.starting import context
from graph_flow.command_line.experiments.working import work_on

_PATIENCE = 30.0
"""Seconds that a process is given to stop in: it puts what there is among the results."""


@dataclass
class _Worker:
    """A process, the line on which it is told stories and tells how it left them, and what it is at."""

    process: BaseProcess
    line: Connection
    story: str = ""


class Processes:
    """So many processes at a time, which are begun when they are needed."""

    def __init__(self, place: str, count: int) -> None:
        self._place = place
        self._count = count
        self._context = context()
        self._workers: list[_Worker] = []

    @property
    def room(self) -> int:
        """How many more stories can be given out now."""
        return self._count - sum(1 for one in self._workers if one.story)

    def start(self, story: str) -> None:
        """Give a story to a process that has none, or to a new one."""
        idle = next((one for one in self._workers if not one.story), None)
        worker = idle or self._begun()
        worker.story = story
        with suppress(OSError):  # it has died, which is noticed when it is waited for
            worker.line.send_bytes(story.encode())

    def wait(self, seconds: float) -> Sequence[Ended]:
        """Wait until a process has left its story, or for so long; return how each left it."""
        busy = [one for one in self._workers if one.story]
        if not busy:
            threading.Event().wait(seconds)
            return []
        # A line is ready when something was said on it, and when its process has died.
        ready = wait([one.line for one in busy], seconds)
        return [self._left(one) for one in busy if one.line in ready]

    def stop(self) -> None:
        """Let all processes stop, and wait for them."""
        for one in self._workers:
            if one.story:
                one.process.terminate()
        self.close()

    def close(self) -> None:
        """Let each process end with the story that it is at, and wait for it."""
        for one in self._workers:
            if not one.story:
                one.line.close()  # it hears that nobody is there
        for one in self._workers:
            one.process.join(_PATIENCE)
            if one.process.is_alive():
                one.process.kill()
                one.process.join()
            one.line.close()
        self._workers.clear()

    def _begun(self) -> _Worker:
        line, other = self._context.Pipe()
        given = (self._place, other, str(scratch_folder()))
        process = self._context.Process(target=_work, args=given)
        process.start()
        other.close()
        self._workers.append(_Worker(process, line))
        return self._workers[-1]

    def _left(self, worker: _Worker) -> Ended:
        story, worker.story = worker.story, ""
        try:
            return Ended.model_validate_json(worker.line.recv_bytes())
        except (EOFError, OSError):
            self._workers.remove(worker)
        worker.line.close()
        worker.process.join()
        message = f"Process {worker.process.pid} ended with code {worker.process.exitcode}."
        worker.process.close()
        return Ended(story=story, outcome=Outcome.DIED, message=message)


def _work(place: str, line: Connection, scratch: str) -> None:
    """Work on each story that is told, until nobody is there any more or the process is to stop."""
    os.environ[SCRATCH] = scratch
    leaving, stop = threading.Event(), threading.Event()

    def leave(_number: int, _frame: object) -> None:
        leaving.set()
        stop.set()

    signal.signal(signal.SIGTERM, leave)
    # Ctrl-C reaches all processes of a terminal; the one that was asked for tells the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    with suppress(EOFError, OSError):
        while not leaving.is_set():
            story = line.recv_bytes().decode()
            stop.clear()
            if leaving.is_set():
                return
            ended = work_on(place, story, stop, lambda: parent is None or parent.is_alive())
            line.send_bytes(ended.model_dump_json().encode())
