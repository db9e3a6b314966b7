"""Tests of comparing a changed text with its story."""
