"""Whether the process that worked on a run is still there."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from graph_flow.machine.owner import is_alive, this_process


def test_own_process_is_alive() -> None:
    assert is_alive(f"{this_process()}/store-1")


def test_process_that_ended_is_not_alive() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()

    assert not is_alive(f"{socket.gethostname()}/{ended.pid}/word/store-1")


def test_other_process_that_runs_is_alive() -> None:
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert is_alive(f"{socket.gethostname()}/{other.pid}/word/store-1")
    finally:
        other.communicate(b"\n")


def test_other_process_knows_us_by_our_name() -> None:
    code = "import sys; from graph_flow.machine.owner import is_alive; print(is_alive(sys.argv[1]))"
    command = [sys.executable, "-c", code, f"{this_process()}/store-1"]

    told = subprocess.run(command, capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "True"


def test_earlier_process_with_our_number_is_not_us() -> None:
    assert not is_alive(f"{socket.gethostname()}/{os.getpid()}/another-word/store-1")


def test_other_process_that_was_given_the_number_of_one_that_ended_is_not_it() -> None:
    """Systems give numbers again; by when it began, one is told from the other."""
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert not is_alive(f"{socket.gethostname()}/{other.pid}/began-1000-word/store-1")
    finally:
        other.communicate(b"\n")


@pytest.mark.parametrize("owner", ["elsewhere/1/word/store", "process/1", "", "odd"])
def test_of_what_is_not_here_only_the_heartbeat_tells(owner: str) -> None:
    assert is_alive(owner)
