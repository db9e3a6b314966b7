"""The words of runs, of the Cost page and of the Talk page, in Simplified Chinese."""
