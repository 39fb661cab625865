"""The projection of a game from its log: its seats and players, its position, and the seats that
the table waits for.

Pure: entries in, projections out. No database, no clock; all that a process knows of a game is
folded here.
"""
