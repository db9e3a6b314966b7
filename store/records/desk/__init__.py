"""What is kept of the writer's desk: talk with the story, and suggestions for its text."""
