"""`python -m graph_flow.command_line`, which is `tellwright`."""

from __future__ import annotations

import sys

from graph_flow.command_line import main

if __name__ == "__main__":
    sys.exit(main())
