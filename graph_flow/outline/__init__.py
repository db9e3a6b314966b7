"""Outline first: storylines, their events and links, spread over the chapters (StoryWriter)."""
