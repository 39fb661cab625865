"""Clients that are made from the document."""
