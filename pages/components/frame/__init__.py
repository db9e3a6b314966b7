"""What surrounds every page: sidebar, branch switcher, run chip, time cursor."""
