"""A long run through a faulty model."""
