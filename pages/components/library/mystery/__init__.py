"""The mystery game: what is decided about it, whether it works, and its texts."""
