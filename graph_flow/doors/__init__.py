"""What a writer can do, a file for each room of the work; the workbench is all of them together."""
