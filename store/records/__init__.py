"""The SQL of everything beside the graphs: library, proposals, manuscript, outlines, runs, marks."""
