"""The only place that opens a socket or a process: endpoints, streams, the embedded model."""
