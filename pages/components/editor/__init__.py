"""The editor of one story element, on the Graphs and Premise pages."""
