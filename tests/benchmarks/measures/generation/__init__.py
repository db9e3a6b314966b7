"""What the plot of a chapter costs while a story grows."""
