"""What an edit of the story or of its text leaves to be decided."""
