"""The turns of Duel of Law as its bots plan them: which plays there are, and their worth."""
