"""The SQL of the two story graphs: the one write path, states as of a chapter, excerpts, search."""
