"""A judge is judged before it judges: by texts of our own, spoiled in ways that any reader would notice."""
