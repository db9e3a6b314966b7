"""The records that every part of Tellwright shares."""
