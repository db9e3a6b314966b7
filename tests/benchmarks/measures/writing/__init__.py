"""What a writer waits for in the editor."""
