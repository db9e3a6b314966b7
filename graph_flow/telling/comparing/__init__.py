"""A text that was changed by hand, compared with its story: what it says now, as changes to take or refuse."""
