"""All sockets and child processes: endpoints, streams, the embedded model."""
