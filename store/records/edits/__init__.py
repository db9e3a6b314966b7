"""What is kept of edits: what they made stale, and what a changed text says of the story."""
