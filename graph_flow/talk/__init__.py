"""What needs no run: questions about the story, and talk with its people."""
