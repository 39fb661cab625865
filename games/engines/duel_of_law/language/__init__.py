"""The language of the laws of Duel of Law: clauses, each a feature of the cards and a pattern that
it follows. It has no "or", no "not" and no list, so such laws cannot be expressed."""
