"""The bots: they see what a player in their seat sees, and come in through the same door."""

import games  # noqa: F401  # decides whether the search runs compiled before any of it is imported
