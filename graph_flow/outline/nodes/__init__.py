"""One node per file: `(state, runtime) -> update`."""
