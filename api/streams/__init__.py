"""Streams of games and accounts, and long polls.

A request starts in a thread like any other; if it stays open, the event loop takes it over.
"""
