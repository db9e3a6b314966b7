"""Experiments: the same premises told in several ways, by several models, several times, and compared."""

from __future__ import annotations

ABOUT = "make stories in several ways, with several models, and compare them"
"""What the command does."""
