"""The library of stories: the records, the Story Prototype, and the only SQL."""
