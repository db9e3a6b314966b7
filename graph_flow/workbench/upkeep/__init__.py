"""Keeping a library safe: backups, checks, old prompts."""
