"""Management commands of the configuration."""
