"""Plot many chapters on a faulty model: `python -m tests.benchmarks.endurance --help` says how."""

from __future__ import annotations

import sys

from tests.benchmarks.endurance.command import main

sys.exit(main())
