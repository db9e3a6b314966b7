"""The words of the pages in Simplified Chinese."""
