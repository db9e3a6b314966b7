"""What the Story Prototype costs while a story grows."""
