"""What the app does by itself while nobody is at work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from graph_flow.workbench.workbench import Workbench

WINDOWS = 30


def test_library_gives_the_handles_of_many_windows_back(
    open_workbench: Callable[[], Workbench], library_path: Path
) -> None:
    workbench = open_workbench()
    everybody = threading.Barrier(WINDOWS)

    def look() -> None:
        workbench.library.stories()
        everybody.wait()

    windows = [threading.Thread(target=look) for _ in range(WINDOWS)]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    del window, windows
    assert handles_of(library_path) > WINDOWS // 2

    workbench.keep_safe()

    assert handles_of(library_path) == 0
    assert workbench.library.stories() == []


def handles_of(library: Path) -> int:
    opened = [Path(file.path).name for file in psutil.Process().open_files()]
    return sum(name.startswith(library.name) for name in opened)
