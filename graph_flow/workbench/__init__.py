"""What a writer can do: a service for each part of the work, put together as the workbench."""
