"""What is drawn, and where: pictures of the story as data."""
