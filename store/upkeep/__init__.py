"""What keeps a library whole: checks, backups, and saving what is left of a damaged one."""
