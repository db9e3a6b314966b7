"""Many writers at once at one process of a site."""
