"""What the model that comes along can do: `python tests/benchmarks/embedded.py --help` says how."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script finds its own folder first on the path; what it measures begins two folders above.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

    from tests.benchmarks.measures.embedded.command import main

    sys.exit(main())
