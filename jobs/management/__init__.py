"""Management commands of background work."""
