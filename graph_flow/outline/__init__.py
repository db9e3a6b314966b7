"""Outline first: storylines, events and what joins them, spread over the chapters (StoryWriter)."""
