"""Law: sets of cards are Bills, each Bill passes a Law, and each Law changes the game. The first
player to collect four Laws wins."""

from games.engines.law.engine import LawEngine

ENGINES = (LawEngine(),)  # every version, oldest first
ENGINE = ENGINES[-1]
