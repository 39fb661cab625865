"""Management commands on the log, one module per command."""
