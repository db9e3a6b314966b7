"""How fast an experiment is, and what a death costs it: `python tests/benchmarks/experiments.py --help` says how."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script finds its own folder first on the path; what it measures begins two folders above.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

    from tests.benchmarks.measures.experiments.command import main

    sys.exit(main())
