"""`tellwright run`: make a story without a browser, through the same workbench as the pages.

Exit codes: 0 done; 2 wrong usage; 3 a run failed or reached a limit (run it again with `--story` to
continue); 130 interrupted (likewise).
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.command_line.ending import INTERRUPTED, WRONG_USE, leaving_at_once, say


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        with leaving_at_once():
            # These take a second or more, in which somebody may think better of it.
            from graph_flow.command_line.arguments import read

            request = read(arguments)
            from graph_flow.command_line import playing

            workbench = playing.open_workbench()
        return playing.play(workbench, request) if workbench else WRONG_USE
    except KeyboardInterrupt:
        say("Interrupted.")
        return INTERRUPTED
