"""One file a format, out and in."""
