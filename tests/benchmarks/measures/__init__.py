"""What each benchmark measures, and how."""
