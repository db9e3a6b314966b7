"""The languages that the pages can be shown in."""
