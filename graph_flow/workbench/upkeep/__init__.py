"""What keeps a library safe: backups, checks, and files that go in and out."""
