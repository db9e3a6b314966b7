"""What stands beside the text: what belongs to a paragraph, the plan, the versions, the style, the book."""
