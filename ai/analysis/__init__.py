"""Analysis of a decision or of a whole game, shared by several workers."""
