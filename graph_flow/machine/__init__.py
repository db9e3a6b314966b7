"""The LangGraph machine: its graph, its runner, its checkpoints."""
