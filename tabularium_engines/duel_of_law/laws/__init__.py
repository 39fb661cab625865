"""The laws of Duel of Law: clauses, each a feature of the cards and a pattern that it follows along
a line. The clauses have no "or", no "not" and no list, so laws with these cannot be expressed."""
