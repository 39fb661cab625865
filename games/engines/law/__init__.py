"""Law: sets of cards are Bills, each Bill passes a Law, and each Law changes the game.
Whoever has collected four of them wins."""

from games.engines.law.engine import LawEngine

ENGINE = LawEngine()
