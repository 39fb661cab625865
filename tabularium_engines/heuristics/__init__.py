"""Heuristics: how good a state looks to a seat; one module for each game."""
