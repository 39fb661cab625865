"""A scripted player of Law of the Dice that builds laws: its gain or loss against `rush`, which
builds none, is the worth of laws in a variant."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ai.arena.rusher import Rusher, liking
from tabularium_engines.law_of_the_dice import actions as a
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.view import card_number

BROUGHT: Final = {"2": 3.0, "4": 2.0, "7": 1.0, "6": 0.8}  # by a law that fires, in cards
BROUGHT_BY_DICE: Final = 0.6  # by a law that rolls
ROUNDS: Final = 4  # in which a law has to pay
LOWEST_DIE: Final = 4
DRAWN: Final = 1.0  # the liking of a draw, in cards


class Builder(Rusher):
    """Makes twos, fours, sevens and dice its laws, if it has a die for a low number, and puts low
    numbers on them, as if a d4 was rolled in every turn. It plays its dice as long as they may set
    off a law. Apart from that it plays like `rush`."""

    name = "build"

    def like(self, action: Any, view: Any, held: Counter[str]) -> float:
        """How much it likes an action."""
        match action:
            case a.Enact():
                return self._gain_of_law(action, view)
            case a.PutNumber():
                return self._gain_of_number(action, view)
            case a.Play(card=card) if sides := sides_of(card):
                return self._gain_of_roll(sides, view)
            case a.Play(card=card) if card[:-1] in BROUGHT:
                return DRAWN if liking(action, view, held) > 0 else 0.0
        return float(liking(action, view, held))

    def _gain_of_law(self, action: a.Enact, view: Any) -> float:
        old = view.laws[view.seat][action.slot - 1]
        dice = [sides for card in view.hand if card != action.card and (sides := sides_of(card))]
        number = old.number or min(dice, default=None)
        more = worth(action.card) - (worth(old.card) if old.card else 0.0)
        return more * firings(view, number) - (1.0 if old.number else 2.0)

    def _gain_of_number(self, action: a.PutNumber, view: Any) -> float:
        slot = view.laws[view.seat][action.slot - 1]
        if slot.card is None:
            return -1.0
        more = firings(view, action.number) - firings(view, slot.number)
        return worth(slot.card) * more - 1.0

    def _gain_of_roll(self, sides: int, view: Any) -> float:
        reached = [law for law in view.laws[view.seat] if law.card and law.number <= sides]
        is_rolled_anyway = getattr(view.options, "house_rules", False)  # in each turn
        return 2 * DRAWN if reached and not is_rolled_anyway else -1.0


def sides_of(card: str) -> int:
    """The sides of a card's die; 0 for a card with a power."""
    return int(die_of(card_number(card)))


def worth(card: str) -> float:
    """The cards that a law brings when it fires."""
    return BROUGHT_BY_DICE if sides_of(card) else BROUGHT.get(card[:-1], 0.0)


def firings(view: Any, number: int | None) -> float:
    """How often a law with that number fires in the rounds in which it has to pay."""
    can_fire = number is not None and number <= LOWEST_DIE
    return ROUNDS * view.seats / LOWEST_DIE if can_fire else 0.0
