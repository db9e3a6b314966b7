"""The Settings and Scoring rules pages."""
