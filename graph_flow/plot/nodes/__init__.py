"""One file a node: `(state, runtime) -> update`."""
