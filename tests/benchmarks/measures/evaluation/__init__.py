"""What it takes to judge a long text."""
