"""What every node receives: state, context, gates, progress."""
