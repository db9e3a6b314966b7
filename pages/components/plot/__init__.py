"""The Plot page: goals, weaving, candidates, choice."""
