"""How could a bot cheat? Planted in real games, and in one small game with a stacked pile: each of
these knows one thing that its seat cannot know, and each must be caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final
from zlib import crc32

from ai.bot_types import ActionEstimate, Bot, BotDecision, Budget
from games import position_cache
from games.engines.base import Engine, Rng
from games.engines.common.bits import members
from games.position_cache import Position
from games.registry import ENGINES
from tests.engines.lucky_draw import LuckyDraw, LuckyState

FAVOURED: Final = 1 << 31

Betrayal = Callable[[Any, Any, int], Any]

# -- rules that betray what is true ---------------------------------------------------------------


def leaky(slug: str, betray: Betrayal) -> Engine[Any, Any]:
    """The rules of a game, but views drag the state behind them, and what is imagined from a view
    is put right by it. No field of a view tells: two of them still compare equal."""
    kind: Any = type(ENGINES[slug])

    class Leaky(kind):  # type: ignore[misc]
        """Looks like the game."""

        def view(self, state: Any, seat: int | None) -> Any:
            seen = super().view(state, seat)
            object.__setattr__(seen, "beneath", state)
            return seen

        def imagine(self, view: Any, rng: Rng) -> Any:
            return betray(super().imagine(view, rng), view.beneath, view.seat)

    engine: Engine[Any, Any] = Leaky()
    return engine


def the_state(world: Any, truth: Any, seat: int) -> Any:
    """All of it."""
    return truth.clone()


def the_pile(world: Any, truth: Any, seat: int) -> Any:
    """Which cards are still to be drawn."""
    for wrong, right in zip(
        members(world.pile & ~truth.pile), members(truth.pile & ~world.pile), strict=False
    ):
        exchange(world, int(wrong), int(right))
    return world


def another_hand(world: Any, truth: Any, seat: int) -> Any:
    """What the next seat holds."""
    other = (seat + 1) % world.seats
    held, holds = world.hands[other], truth.hands[other]
    for wrong, right in zip(members(held & ~holds), members(holds & ~held), strict=False):
        exchange(world, int(wrong), int(right))
    return world


def a_sealed_vote(world: Any, truth: Any, seat: int) -> Any:
    """What those have voted who have."""
    for other in range(truth.seats):
        world.votes[other] = truth.votes[other]
    return world


def exchange(world: Any, one: int, other: int) -> None:
    """Two cards change places, wherever in hands and pile they are."""
    both = 1 << one | 1 << other
    for seat in range(world.seats):
        if (world.hands[seat] & both).bit_count() == 1:
            world.hands[seat] = world.hands[seat] ^ both
    if (world.pile & both).bit_count() == 1:
        world.pile ^= both


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
    """A pile with an order, the next card last: what our games do without."""

    def draw(self, seat: int, rng: Rng) -> None:
        if not self.laid and not any(self.hands):
            self.shuffle(rng)
        super().draw(seat, _Last())

    def determinize(self, seat: int, rng: Rng) -> None:
        super().determinize(seat, rng)
        self.shuffle(rng)

    def shuffle(self, rng: Rng) -> None:
        """Bring the pile into a random order."""
        self.pile = [self.pile.pop(rng.below(len(self.pile))) for _ in range(len(self.pile))]


class _Last(Rng):
    """Draws whatever lies last."""

    def below(self, limit: int) -> int:
        return limit - 1


class PeepingState(StackedState):
    """A re-deal that leaves the pile in its order, as far as its cards are still there."""

    def determinize(self, seat: int, rng: Rng) -> None:
        order = {card: place for place, card in enumerate(self.pile)}
        super().determinize(seat, rng)
        self.pile.sort(key=lambda card: order.get(card, -1))


class Stacked(LuckyDraw):
    """An honest game with a stacked pile."""

    state_type: ClassVar[type[LuckyState]] = StackedState


class Peeping(LuckyDraw):
    """A search that knows in which order the pile lies."""

    state_type: ClassVar[type[LuckyState]] = PeepingState


class Marked(LuckyDraw):
    """A search that thinks only of actions which the hidden cards favour."""

    class Broken(LuckyState):
        def promising_actions(self, seat: int) -> list[int]:
            legal = self.legal_actions(seat)
            return legal[:1] if sum(self.pile) % 2 else legal

    state_type: ClassVar[type[LuckyState]] = Broken


class Blushing(LuckyDraw):
    """A search that parts its decisions by what another seat holds."""

    class Broken(LuckyState):
        def observation_key(self, seat: int) -> int:
            return sum(self.hands[(seat + 1) % self.seats])

    state_type: ClassVar[type[LuckyState]] = Broken


# -- re-deals with favourites ---------------------------------------------------------------------


class Skewed(LuckyDraw):
    """A re-deal that knows nothing, and gives the next seat the highest cards all the same."""

    class Broken(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            super().determinize(seat, rng)
            other = (seat + 1) % self.seats
            if self.pile and other != seat and self.hands[other]:
                together = sorted([*self.pile, *self.hands[other]])
                size = len(self.hands[other])
                self.hands[other], self.pile = together[-size:], together[:-size]

    state_type: ClassVar[type[LuckyState]] = Broken


# -- bots that look into the process they run in --------------------------------------------------


class Snoop:
    """A bot that finds the table in the process's memory, and thinks once: of the truth."""

    name = "snoop"

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """What another bot would do, and how often it was tried by the light of the truth."""
        answer = self.bot.choose(engine, view, rng, budget)
        visits = self.known(found(engine, view)) % FAVOURED
        return replace(answer, estimates=(ActionEstimate(answer.action, visits, 0.5),))

    def known(self, position: Position) -> int:
        """What it finds there: where every card is."""
        state = position.projection.state
        return crc32(repr(state and state.contents()).encode())


class Prophet(Snoop):
    """A bot that finds the secret there, from which every draw follows."""

    def known(self, position: Position) -> int:
        return crc32(position.secret)


def found(engine: Engine[Any, Any], view: Any) -> Position:
    """The position most recently kept in memory that looks like this view."""
    kept: list[Position] = list(position_cache.cache._positions.values())
    return next(
        position
        for position in reversed(kept)
        if position.projection.engine is engine
        and position.projection.state is not None
        and engine.view(position.projection.state, view.seat) == view
    )
