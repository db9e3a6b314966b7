"""Kills at every kind of moment, and what is there afterwards."""
