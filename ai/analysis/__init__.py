"""What do bots think of a position, or of a whole game? Thought about by several workers at
once."""
