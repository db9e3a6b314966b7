"""The Premise page."""
