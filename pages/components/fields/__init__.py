"""Fields that save what is typed, locks, and the buttons of a gate."""
