"""What every node is handed: state, context, gates, progress."""
