"""The pages of the app: load, show, one call to the workbench for an action."""
