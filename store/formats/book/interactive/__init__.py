"""The story with the ways not taken, for a reader who chooses."""
