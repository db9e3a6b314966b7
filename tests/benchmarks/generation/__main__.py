"""Measure Story Generation: `python -m tests.benchmarks.generation --help` says how."""

from __future__ import annotations

import sys

from tests.benchmarks.generation.command import main

sys.exit(main())
