"""Law: sets of cards are Bills, each Bill passes a Law, and each Law changes the game. The first
player to collect four Laws wins."""

from tabularium_engines.law.engine import LawEngine
from tabularium_engines.law.v2_engine import LawV2Engine

ENGINES = (LawEngine(), LawV2Engine())  # every version, oldest first
ENGINE = ENGINES[-1]
