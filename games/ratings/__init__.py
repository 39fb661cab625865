"""Who plays a game how well, as far as rated games tell? What is kept of it is a cache over the
logs: it can be deleted, and is folded anew from all rated games that are over, in one order."""
