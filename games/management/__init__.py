"""Management commands on the log."""
