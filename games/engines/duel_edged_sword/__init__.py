"""Duel-Edged Sword: each drawn card goes to an end of one of four rows, and a match collects what
lies between. Completes score; of all else three of a kind end the round, and four its worth."""

from games.engines.duel_edged_sword.engine import DuelEdgedSwordEngine

ENGINE = DuelEdgedSwordEngine()
