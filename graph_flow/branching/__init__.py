"""Branches: their history, merging them, and what an edit of an earlier chapter affects."""
