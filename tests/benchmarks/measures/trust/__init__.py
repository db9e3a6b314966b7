"""What a writer can rely on: kills, stops, memory, changes made at once, and many writers at once."""
