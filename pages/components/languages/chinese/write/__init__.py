"""The words of the Write page and what stands beside its text, in Simplified Chinese."""
