"""Where a text contradicts itself, as the Evaluate page shows it."""
