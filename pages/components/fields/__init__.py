"""Fields that save what is typed, locks, and the buttons that answer a gate."""
