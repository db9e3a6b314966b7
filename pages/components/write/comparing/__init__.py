"""What a text that was changed by hand says of its story: offered, and what was found."""
