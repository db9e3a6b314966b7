"""A murder mystery made of a story: who did what, what each player may know, and what gives it away."""
