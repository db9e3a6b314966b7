"""What lies on the writer's desk beside the story: talk with it, and suggestions for its text."""
