"""The Library and Export pages."""
