"""Ways to cheat, planted in real games and in a small game with a stacked pile: every leak uses one
piece of hidden information, and must be caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar, Final
from zlib import crc32

from ai.bot_kinds import ActionEstimate, Bot, BotDecision, Budget
from games import position_cache
from games.position_cache import Position
from tabularium_engines.base import AnyEngine, Rng
from tabularium_engines.common.bits import members
from tabularium_engines.installed.registry import ENGINES
from tests.engines.lucky_draw import LuckyDraw, LuckyState

FAVOURED: Final = 1 << 31
PILES: Final = ("pile", "rest")  # the names of the set of cards to be drawn, in different games

Betrayal = Callable[[Any, Any, int], Any]

# -- engines that betray the true state -----------------------------------------------------------


def leaky(slug: str, betray: Betrayal) -> AnyEngine:
    """An engine whose views carry the true state along, and whose `imagine` corrects the world by
    it. No field of a view shows this: two such views still compare equal."""
    kind: Any = type(ENGINES[slug])

    class Leaky(kind):  # type: ignore[misc]
        """The same game with leaky views."""

        def view(self, state: Any, seat: int | None) -> Any:
            view = super().view(state, seat)
            object.__setattr__(view, "beneath", state)
            return view

        def imagine(self, view: Any, rng: Rng) -> Any:
            return betray(super().imagine(view, rng), view.beneath, view.seat)

    engine: AnyEngine = Leaky()
    return engine


def the_state(world: Any, truth: Any, seat: int) -> Any:
    """Betray the full state."""
    return truth.clone()


def part_with(name: str, state: Any) -> Any:
    """The part of a state that has an attribute of this name, or the state itself."""
    return next(part for part in parts_of(state) if hasattr(part, name))


def parts_of(state: Any) -> Iterator[Any]:
    """The state and its attributes, which include its parts."""
    yield state
    yield from (getattr(state, name, None) for name in dir(state) if not name.startswith("_"))


def draw_pile(state: Any) -> tuple[Any, str]:
    """The part with the set of the cards that are still to be drawn, and the name of that set."""
    return next((part, name) for part in parts_of(state) for name in PILES if hasattr(part, name))


def the_pile(world: Any, truth: Any, seat: int) -> Any:
    """Betray the cards that are still to be drawn."""
    imagined, true = (getattr(*draw_pile(state)) for state in (world, truth))
    for imagined_card, true_card in zip(
        members(imagined & ~true), members(true & ~imagined), strict=False
    ):
        exchange(world, int(imagined_card), int(true_card))
    return world


def another_hand(world: Any, truth: Any, seat: int) -> Any:
    """Betray the hand of the next seat."""
    other = (seat + 1) % world.seats
    imagined, true = (part_with("hands", state).hands[other] for state in (world, truth))
    for imagined_card, true_card in zip(
        members(imagined & ~true), members(true & ~imagined), strict=False
    ):
        exchange(world, int(imagined_card), int(true_card))
    return world


def a_sealed_vote(world: Any, truth: Any, seat: int) -> Any:
    """Betray the votes of other seats."""
    for other in range(truth.seats):
        part_with("votes", world).votes[other] = part_with("votes", truth).votes[other]
    return world


def exchange(world: Any, one: int, other: int) -> None:
    """Swap two cards, whether in hands or in the pile."""
    mask = 1 << one | 1 << other
    hands, (part, pile) = part_with("hands", world).hands, draw_pile(world)
    for seat in range(world.seats):
        if (hands[seat] & mask).bit_count() == 1:
            hands[seat] = hands[seat] ^ mask
    if (getattr(part, pile) & mask).bit_count() == 1:
        setattr(part, pile, getattr(part, pile) ^ mask)


LEAKS: Final[tuple[tuple[str, Betrayal], ...]] = (
    ("law_of_the_dice", the_state),
    ("duality", the_state),
    ("law", the_state),
    ("duel_of_law", the_state),
    ("law_of_the_dice", the_pile),
    ("duality", the_pile),
    ("law", the_pile),
    ("law_of_the_dice", another_hand),
    ("duality", another_hand),
    ("law", another_hand),
    ("law_of_the_dice", a_sealed_vote),
)


# -- a pile that is stacked -----------------------------------------------------------------------


class StackedState(LuckyState):
    """A game whose pile has an order, the next card last; our games have no such order."""

    def draw(self, seat: int, rng: Rng) -> None:
        if not self.laid and not any(self.hands):
            self.shuffle(rng)
        super().draw(seat, _Last())

    def determinize(self, seat: int, rng: Rng) -> None:
        super().determinize(seat, rng)
        self.shuffle(rng)

    def shuffle(self, rng: Rng) -> None:
        """Put the pile into a random order."""
        self.pile = [self.pile.pop(rng.below(len(self.pile))) for _ in range(len(self.pile))]


class _Last(Rng):
    """Always draws the last card."""

    def below(self, limit: int) -> int:
        return limit - 1


class PeepingState(StackedState):
    """A re-deal that keeps the order of the cards that stay in the pile."""

    def determinize(self, seat: int, rng: Rng) -> None:
        order = {card: place for place, card in enumerate(self.pile)}
        super().determinize(seat, rng)
        self.pile.sort(key=lambda card: order.get(card, -1))


class Stacked(LuckyDraw):
    """A correct game with a stacked pile."""

    state_type: ClassVar[type[LuckyState]] = StackedState


class Peeping(LuckyDraw):
    """A search that knows the order of the pile."""

    state_type: ClassVar[type[LuckyState]] = PeepingState


class Marked(LuckyDraw):
    """A search that considers only actions that the hidden cards favour."""

    class Broken(LuckyState):
        def promising_actions(self, seat: int) -> list[int]:
            legal = self.legal_actions(seat)
            return legal[:1] if sum(self.pile) % 2 else legal

    state_type: ClassVar[type[LuckyState]] = Broken


class Blushing(LuckyDraw):
    """A search that separates its decisions by another seat's hand."""

    class Broken(LuckyState):
        def observation_key(self, seat: int) -> int:
            return sum(self.hands[(seat + 1) % self.seats])

    state_type: ClassVar[type[LuckyState]] = Broken


# -- biased re-deals ------------------------------------------------------------------------------


class Skewed(LuckyDraw):
    """A re-deal that knows nothing hidden, yet gives the next seat the highest cards."""

    class Broken(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            super().determinize(seat, rng)
            other = (seat + 1) % self.seats
            if self.pile and other != seat and self.hands[other]:
                cards = sorted([*self.pile, *self.hands[other]])
                size = len(self.hands[other])
                self.hands[other], self.pile = cards[-size:], cards[:-size]

    state_type: ClassVar[type[LuckyState]] = Broken


# -- bots that read the memory of their process ---------------------------------------------------


class Snoop:
    """A bot that finds the position in the process's memory, and uses the true state."""

    name = "snoop"

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """Another bot's action, with a visit count that depends on the true state."""
        decision = self.bot.choose(engine, view, rng, budget)
        visits = self.information(position_with_view(engine, view)) % FAVOURED
        return replace(decision, estimates=(ActionEstimate(decision.action, visits, 0.5),))

    def information(self, position: Position) -> int:
        """The information it finds there: the place of every card."""
        state = position.projection.state
        return crc32(repr(state and state.contents()).encode())


class Prophet(Snoop):
    """A bot that finds the secret there, which determines every draw."""

    def information(self, position: Position) -> int:
        return crc32(position.secret)


def position_with_view(engine: AnyEngine, view: Any) -> Position:
    """The most recently cached position with this view."""
    positions: list[Position] = list(position_cache.cache._positions.values())
    return next(
        position
        for position in reversed(positions)
        if position.projection.engine is engine
        and position.projection.state is not None
        and engine.view(position.projection.state, view.seat) == view
    )
