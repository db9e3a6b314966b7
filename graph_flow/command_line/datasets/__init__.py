"""Data sets: stories as examples from which a model can learn to write them (StoryWriter's second half)."""

from __future__ import annotations

ABOUT = "write stories as a data set to train a model with, and recipes for training"
"""What the command does."""
