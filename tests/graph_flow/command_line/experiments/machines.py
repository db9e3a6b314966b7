"""A Dask cluster of processes on this machine, each with a disk of its own, that a test can kill.

They are forked from a process that has imported everything, since importing takes longer than the stories.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from graph_flow.command_line.experiments.shared.files import SCRATCH

Main = Callable[..., None]


class Machines:
    """A scheduler and its workers; `folder` has a disk for each worker."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = _free_port()
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(
            ["distributed", "graph_flow.command_line.experiments.working", __name__]
        )
        self.scheduler = self._begin(_schedule, self._port)
        self.workers: list[BaseProcess] = []

    @property
    def address(self) -> str:
        """Where the scheduler is reached."""
        return f"tcp://127.0.0.1:{self._port}"

    def begin_worker(self) -> None:
        """Begin a worker with an empty disk."""
        disk = self._folder / f"worker-{len(self.workers)}"
        disk.mkdir()
        self.workers.append(self._begin(_work, self.address, str(disk)))

    def restart_scheduler(self) -> None:
        """Kill the scheduler as a power cut would, and begin another at its address."""
        self.scheduler.kill()
        self.scheduler.join()
        self.scheduler.close()
        self.scheduler = self._begin(_schedule, self._port)

    def close(self) -> None:
        """Kill all of it."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.join()
            process.close()

    def _begin(self, main: Main, *given: object) -> BaseProcess:
        process = self._context.Process(target=main, args=given, daemon=True)
        process.start()
        return process


@contextmanager
def machines(folder: Path, workers: int) -> Iterator[Machines]:
    """Give out a cluster for the duration of a block."""
    running = Machines(folder)
    try:
        for _ in range(workers):
            running.begin_worker()
        yield running
    finally:
        running.close()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _schedule(port: int) -> None:
    from distributed import Scheduler

    _serve(lambda: Scheduler(host="127.0.0.1", port=port, dashboard=False))


def _work(address: str, disk: str) -> None:
    from distributed import Worker

    os.environ[SCRATCH] = f"{disk}/stories"
    _serve(
        lambda: Worker(address, nthreads=1, dashboard=False, local_directory=disk, death_timeout=60)
    )


def _serve(make: Callable[[], Any]) -> None:
    logging.disable(logging.WARNING)

    async def serve() -> None:
        async with make() as node:
            await node.finished()

    asyncio.run(serve())
