"""Generators of clients, each tried with a whole game of every ruleset."""
