"""The Write page."""
