"""What is a game, as its log tells it? Who sits where, what is played, whom the table waits for.

Pure: entries in, tables out. No database, no clock; what a process knows of a game is folded here.
"""
