"""The editor of one thing of the story, on the Graphs and Premise pages."""
