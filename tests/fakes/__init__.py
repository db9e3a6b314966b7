"""Stand-ins for what the app talks to: tests only."""
