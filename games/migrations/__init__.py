"""Migrations of the tables of games."""
