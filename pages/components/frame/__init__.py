"""What stands around every page: sidebar, branch switcher, run chip, time cursor."""
