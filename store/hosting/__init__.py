"""What a site for several writers keeps of them: who they are, what they used, and what they did."""
