"""What candidates are worth: rules, scores, and what the writer chose against them."""
