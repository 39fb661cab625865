"""Management commands of the desk."""
