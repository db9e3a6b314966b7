"""What it takes to bring a book and to take one."""
