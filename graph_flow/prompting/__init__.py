"""Prompts and the answers to them: files, schemas, bounded text, voice."""
