"""The SQL of everything besides the graphs: library, proposals, manuscript, outlines, runs, marks."""
