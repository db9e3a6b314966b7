"""What the Evaluate page says, in Simplified Chinese."""
