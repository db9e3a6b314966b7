"""The method as a LangGraph machine: agents, nodes, and the one door from the UI."""
