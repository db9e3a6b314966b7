"""What can be done with a Delta, without a database: apply, check, lock, rebase, merge, hash, describe."""
