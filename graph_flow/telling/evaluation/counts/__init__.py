"""What a text is counted against: the writer's own pages, and the story that it tells. No model is needed."""
