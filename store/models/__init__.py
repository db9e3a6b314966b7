"""The records that every part of Fabula shares."""
