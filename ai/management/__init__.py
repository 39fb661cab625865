"""Management commands of the bots' app."""
