"""The kit for small games: defaults for everything that follows from the fields of a state."""
