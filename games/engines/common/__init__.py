"""What two games share, or every caller of a game needs."""
