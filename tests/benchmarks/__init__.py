"""Benchmarks: run by command, printing a table; never tests with a clock."""
