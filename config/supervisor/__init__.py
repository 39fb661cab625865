"""One process that starts the others, starts them again when they die, and leaves none behind."""
