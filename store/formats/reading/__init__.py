"""Books that were written elsewhere, read from their files into chapters; one module for each format."""
