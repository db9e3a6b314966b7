"""Work with Deltas, without a database: apply, check, lock, rebase, merge, hash, describe."""
