"""What stories take of the embedded model, and how many of its answers can be used."""
