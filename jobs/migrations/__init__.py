"""Database migrations of background work."""
