"""Database migrations of the bots' app."""
