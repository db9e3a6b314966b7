"""Pictures of the story as data: what is drawn, and where."""
