"""Where a text contradicts itself."""
