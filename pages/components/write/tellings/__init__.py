"""The parts of the Tellings page: the story in other orders and forms."""
