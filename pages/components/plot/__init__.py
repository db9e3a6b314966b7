"""The Plot page: goals, candidates, choice."""
