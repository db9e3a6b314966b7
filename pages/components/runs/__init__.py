"""A run on the page that it works for: progress, cost, and what the agents were given."""
