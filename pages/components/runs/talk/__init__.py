"""Talk with the story and its people: what is said, as it comes, and what is proposed."""
