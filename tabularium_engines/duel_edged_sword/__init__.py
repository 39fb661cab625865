"""Duel-Edged Sword: each drawn card goes to an end of one of four rows; a match collects the cards
between. Completes score; three of another kind end a player's round, four also void its points."""

from tabularium_engines.duel_edged_sword.engine import DuelEdgedSwordEngine
from tabularium_engines.duel_edged_sword.v2_engine import DuelEdgedSwordV2Engine

ENGINES = (DuelEdgedSwordEngine(), DuelEdgedSwordV2Engine())  # every version, oldest first
ENGINE = ENGINES[-1]
