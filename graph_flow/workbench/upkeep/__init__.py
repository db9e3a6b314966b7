"""What keeps a library safe: backups, checks, old prompts, and files that go in and out."""
