"""The structure of the code, and what a writer's steps pass through."""
