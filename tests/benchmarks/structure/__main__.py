"""Measure the structure of the code: `python -m tests.benchmarks.structure --help` says how."""

from __future__ import annotations

import sys

from tests.benchmarks.structure.command import main

sys.exit(main())
