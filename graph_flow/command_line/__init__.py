"""`tellwright run`: make a story without a browser, through the same workbench as the pages.

The commands that keep the library are in `graph_flow.command_line.upkeep`, those that bring and take
books in `graph_flow.command_line.files`, the one that serves several writers is in
`graph_flow.command_line.serving`, and experiments and data sets are in
`graph_flow.command_line.experiments` and `graph_flow.command_line.datasets`.

Exit codes: 0 done; 2 wrong usage; 3 a run failed or reached a limit (run it again with `--story` to
continue); 130 interrupted (likewise).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from graph_flow.command_line.ending import INTERRUPTED, WRONG_USE, leaving_at_once, say


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        with leaving_at_once():
            # These take a second or more, in which somebody may think better of it.
            study = _study(given)
        if study is not None:
            return study(given)
        with leaving_at_once():
            from graph_flow.command_line import comparing, evaluating, files, serving, upkeep
            from graph_flow.command_line.arguments import read

            if given[:1] == ["serve"]:
                return serving.run(given)
            others = {*upkeep.ABOUT, *files.ABOUT, *evaluating.ABOUT, *comparing.ABOUT}
            is_of_library = bool(given) and given[0] in others
            request = None if is_of_library else read(given)
            from graph_flow.command_line import playing

            workbench = playing.open_workbench() if request else None
        if request is None:
            return _keep(given)
        return playing.play(workbench, request) if workbench else WRONG_USE
    except KeyboardInterrupt:
        say("Interrupted.")
        return INTERRUPTED


def _study(given: Sequence[str]) -> Callable[[Sequence[str]], int] | None:
    """Return the command of an experiment or a data set, if that is what was given."""
    if given[:1] == ["experiment"]:
        from graph_flow.command_line.experiments.starting import prepare

        if not {"--scheduler", "--estimate", "--help", "-h"} & set(given):
            prepare()
        from graph_flow.command_line.experiments.command import run

        return run
    if given[:1] == ["dataset"]:
        from graph_flow.command_line.datasets import command
        from graph_flow.workbench.assembly import library_path

        return lambda arguments: command.run(arguments, library_path())
    return None


def _keep(given: Sequence[str]) -> int:
    """Bring, take or judge a book; back up, restore or check the library. Return the exit code."""
    from graph_flow.command_line import comparing, evaluating, files, upkeep

    if given[0] in evaluating.ABOUT:
        return evaluating.run(given)
    if given[0] in comparing.ABOUT:
        return comparing.run(given)
    from graph_flow.workbench.assembly import library_path, restore_library

    if given[0] in files.ABOUT:
        return files.run(given, library_path())
    return upkeep.run(given, library_path(), restore_library)
