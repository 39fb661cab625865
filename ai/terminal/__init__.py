"""A room for one person, or none, and bots at a terminal; it knows no game by name."""
