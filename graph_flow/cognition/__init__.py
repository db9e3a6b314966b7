"""What a character can know, and what a prompt remembers of a story."""
