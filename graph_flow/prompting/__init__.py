"""Prompts and the answers to them: files, agents, bounded text, voice."""
