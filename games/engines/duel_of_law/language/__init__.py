"""The language in which the laws of Duel of Law are written: clauses, each a feature of the
cards and a pattern that it follows. There is no "or", no "not" and no list in it, so nobody can say
them."""
