"""The story library: its records, the Story Prototype, and all of the SQL."""
