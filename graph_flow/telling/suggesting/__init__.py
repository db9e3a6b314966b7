"""What agents suggest for a passage of a text: other words for it, or how it could go on."""
