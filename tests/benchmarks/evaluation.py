"""What it takes to judge a long text, and to make an experiment: `python tests/benchmarks/evaluation.py --help` says how."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script finds its own folder first on the path; what it measures begins two folders above.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

    from tests.benchmarks.measures.evaluation.command import main

    sys.exit(main())
