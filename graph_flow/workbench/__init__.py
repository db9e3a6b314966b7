"""What a writer can do: a service for each part of the work, joined in the workbench."""
