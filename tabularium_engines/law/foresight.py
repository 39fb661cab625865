"""The certain consequences of an action of Law: cards collected and drawn, Laws that are set off,
the end of the turn and of the game.

Until the first card that the seat does not know is drawn or changes hands, a seat can follow all
that its own cards and the open Laws do; after it, nothing that a card decides.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, NewsItem
from tabularium_engines.common.bits import bit, count
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.foresight import CertainFacts, Foresight
from tabularium_engines.common.playing_cards import CARD_CODES
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law.game_logic import LawState

CERTAIN_NEWS: Final[CertainFacts] = {
    "billed": None,
    "laid": None,
    "traded": None,
    "topped": None,
    "discarded": None,
    "passed": ("to",),
    "took": None,
    "stole": None,
    "drew": (),
    "collected": ("card", "pile", "doubled"),
    "event": ("card",),
    "applied": ("card", "law", "doubled"),
    "aimed": ("at", "count"),
    "raised": ("by",),
    "removed": ("cards",),
    "replaced_all": (),
    "replaced": ("card", "of"),
    "recycled": ("card",),
    "bound": ("card", "to", "doubled"),
    "revealed": ("of",),
    "swapped": ("with", "count"),
    "hands_passed": (),
    "hands_swapped": ("seats",),
    "reshuffled": ("count",),
    "replenished": ("pile",),
    "nothing": (),
    "turn": (),
    "over": ("ending", "winners"),
}
# News of cards that the seat need not know …
CHANCE_KINDS: Final = frozenset(
    ("drew", "took", "replenished", "reshuffled", "swapped", "hands_passed", "hands_swapped")
)
KINDS_AFTER_CHANCE: Final = frozenset(("drew", "replenished", "reshuffled", "turn", "over"))
# … of cards that only their own player chooses …
OWN_KINDS: Final = frozenset(("discarded", "laid", "passed", "topped"))
# … and of events after which hands may be empty, or Laws unknown.
LAST_KINDS: Final = frozenset(("removed", "replaced_all"))


def scores(state: LawState) -> tuple[int, ...]:
    """The numbers of Laws."""
    return tuple([int(count(laws)) for laws in state.laws])


def consequences(engine: AnyEngine, state: LawState, seat: int, action: int) -> Consequences | None:
    """The certain consequences of an action."""
    if action & 0xFF == n.ASK:
        return None  # the other player may have the card or not
    foresight = Foresight(engine, state, seat, action, CERTAIN_NEWS, LawForesight(state).count)
    return foresight.consequences("Laws", player_name)


class LawForesight:
    """Which items of the news of an action are certain."""

    def __init__(self, state: LawState) -> None:
        self.state = state
        self.successor = state

    def count(self, foresight: Foresight, items: list[NewsItem]) -> int:
        """How many items are certain; one more if it is that nothing else happens."""
        successor = foresight.successor
        assert isinstance(successor, LawState)
        self.successor = successor
        is_after_chance = False
        for index in range(len(items)):
            item = items[index]
            if is_after_chance and item.kind not in KINDS_AFTER_CHANCE:
                return index
            if not self.is_known(item, foresight.seat, index == 0):
                return index
            if item.kind in LAST_KINDS or (item.kind == "drew" and self.may_set_off(item.seat)):
                return index + 1
            is_after_chance = is_after_chance or item.kind in CHANCE_KINDS
        return len(items) + 1

    def is_known(self, item: NewsItem, seat: i64, is_first: bool) -> bool:
        """Whether the seat knows the card that this item is about."""
        if item.kind == "stole":
            return is_first  # the card is chosen
        if item.kind in OWN_KINDS:
            return item.seat == seat
        if item.kind != "collected" or item.facts["pile"] < 0:
            return True
        card = bit(CARD_CODES.index(item.facts["card"]))
        return item.facts["pile"] > 0 and self.state.known_cards[seat] & card != 0

    def may_set_off(self, seat: i64) -> bool:
        """Whether a card that this seat draws may set off a Law, before or after the action."""
        before, after = self.state.parameters[seat], self.successor.parameters[seat]
        return len(before.drawn_laws) + len(after.drawn_laws) > 0
