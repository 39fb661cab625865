"""Duel of Law: cards lie in lines that follow laws, and the player who finds a line's law owns the
line. A narrower law steals it, and the player who is two branches ahead once a hand has run out
wins."""

from tabularium_engines.duel_of_law.engine import DuelOfLawEngine
from tabularium_engines.duel_of_law.v2_engine import DuelOfLawV2Engine

ENGINES = (DuelOfLawEngine(), DuelOfLawV2Engine())  # every version, oldest first
ENGINE = ENGINES[-1]
