"""A scripted player of Law of the Dice for the arena and the laboratory: it collects one suit and
calls a count as soon as it can. Figures that it shares with a search are not due to the search."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ai.bot_kinds import BotDecision, Budget
from tabularium_engines.base import AnyEngine, Rng
from tabularium_engines.common.playing_cards import SUIT_NAMES
from tabularium_engines.law_of_the_dice import actions as a

SLUG: Final = "law_of_the_dice"
SUIT_OF_LETTER: Final = dict(zip("SHDC", SUIT_NAMES, strict=True))
PLAYED_RANKS: Final = ("2", "6")  # always; a four only if it is not of the longest suit


class Rusher:
    """Plays twos, sixes and spare fours, else draws; always calls; names its longest suit."""

    name = "rush"

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The legal action that it likes most; the first of several."""
        state, seat = engine.imagine(view, rng), view.seat
        legal = [engine.decode(state, seat, action) for action in state.legal_actions(seat)]
        held = Counter(SUIT_OF_LETTER[card[-1]] for card in view.hand)
        return BotDecision(max(legal, key=lambda action: self.like(action, view, held)))

    def like(self, action: Any, view: Any, held: Counter[str]) -> float:
        """How much it likes an action; `held` are its cards by suit."""
        return liking(action, view, held)


def liking(action: Any, view: Any, held: Counter[str]) -> int:
    """How much it likes an action; `held` are its cards by suit."""
    match action:
        case a.Vote(suit=suit) | a.Decide(suit=suit):
            return held[suit]
        case a.Discard(card=card) | a.Give(card=card):
            return -held[SUIT_OF_LETTER[card[-1]]]
        case a.Target(seat=seat):
            return int(view.hand_sizes[seat])
        case a.Play(card=card):
            rank, is_spare = card[:-1], held[SUIT_OF_LETTER[card[-1]]] < max(held.values())
            return 2 if rank in PLAYED_RANKS or (rank == "4" and is_spare) else -1
        case a.Draw() | a.CallCount():
            return 1
    return 0 if isinstance(action, a.EndTurn) else -1
