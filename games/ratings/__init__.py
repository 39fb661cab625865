"""Ratings: the skill of players, as far as rated games show it. The stored ratings are a cache over
the logs: they can be deleted, and are folded again from all finished rated games, in one order."""
