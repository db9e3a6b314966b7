"""What a writer does with texts: compare and name versions, find and replace, note in the margin."""
