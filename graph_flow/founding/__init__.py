"""Stage 1: from a premise to a cast, its relationships and a goal."""
