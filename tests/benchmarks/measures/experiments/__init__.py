"""How fast an experiment is, and what a death in the middle of it costs."""
