"""Stage 2: goals, a plot for each, the choice, and the end of the story (CreAgentive)."""
