"""Measure the Story Prototype: `python -m tests.benchmarks.prototype --help` says how."""

from __future__ import annotations

import sys

from tests.benchmarks.prototype.command import main

sys.exit(main())
