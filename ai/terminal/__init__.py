"""Playing at a terminal: at most one person and bots; nothing here depends on a game."""
