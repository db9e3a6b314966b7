"""Stage 3: from a plotted chapter to its text."""
