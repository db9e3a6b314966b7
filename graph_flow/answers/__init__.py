"""What each agent answers: pydantic models that double as the schema that is sent."""
