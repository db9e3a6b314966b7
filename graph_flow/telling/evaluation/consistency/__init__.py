"""Where a text contradicts itself, and where it and its story do not say the same."""
