"""The pages of the app: each loads, shows, and calls the workbench once per action."""
