"""How likely a model finds a text: what it notices without being asked for an opinion."""
