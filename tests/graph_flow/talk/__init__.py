"""Tests of talk with the story and its people."""
