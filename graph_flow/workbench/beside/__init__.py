"""The services whose agents work beside runs: talk, and the comparison of a text with its story."""
