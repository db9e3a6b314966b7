"""What whoever writes is told: of the chapter, its people and ties, the texts before it, and the style."""
