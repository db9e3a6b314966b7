"""One file per node: `(state, runtime) -> update`."""
