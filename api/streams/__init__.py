"""What happens while one listens: streams of games and accounts, and answers that are waited for.

A request begins like any other, in a thread; if it lasts, the event loop goes on with it.
"""
