"""One file a node: `(state, runtime) -> update`; generating, asking and committing are separate."""
