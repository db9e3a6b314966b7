"""The words of the Settings page and the pages beside it, in Simplified Chinese."""
