"""Migrations of the API's tables."""
