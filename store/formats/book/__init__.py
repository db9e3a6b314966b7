"""The book as a list of typed blocks, and a writer of it for each kind of file."""
