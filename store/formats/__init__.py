"""One module per format, for export and import."""
