"""Stage 2: goals, plots woven for them, the choice, and the end of the story (CreAgentive)."""
