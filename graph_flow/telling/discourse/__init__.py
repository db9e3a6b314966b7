"""The tellings of a story: in what order they show it, what their reader knows, what is written of them."""
