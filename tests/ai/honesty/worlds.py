"""The distribution of imagined worlds: each is as frequent as it is likely.

Two tests use plain numbers alone and so apply to any game. First, the truth: by any measure, it
must have each rank among imagined worlds equally often. Second, the past: worlds imagined one step
earlier, after the same action, with the same news and the same view, must be distributed like those
imagined now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count, islice
from math import sqrt
from typing import Any, Final
from zlib import crc32

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.action_codec import BITS_PER_FIELD
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.promises.random_games import Position, all_viewers, play
from tabularium_engines.promises.variants import Table, tables

OTHERS: Final = 9  # imagined worlds besides the truth
SIGMAS: Final = 5.0
ATTEMPTS: Final = 240  # worlds one step earlier
ENOUGH: Final = 80  # of them with the same view and news
WIDE: Final = 6.0  # standard deviations, because there are thousands of bits
FAR: Final = 1 << 41
PLACES: Final = 4093  # number of bits for the holders of cards
SECRET: Final = {"hand", "vote", "card"}  # fields of a view about its own seat alone


# -- the truth among imagined worlds --------------------------------------------------------------


def chi_square(engine: AnyEngine, number: int) -> float:
    """Chi-square of the truth's ranks over this many games, one position of each."""
    places = Counter(islice(truth_ranks(engine), number))
    even = number / (OTHERS + 1)
    return sum((places[rank] - even) ** 2 / even for rank in range(OTHERS + 1))


def rank_bound() -> float:
    """The chi-square value above which the ranks are not uniform."""
    return OTHERS + SIGMAS * sqrt(2 * OTHERS) + SIGMAS**2


def truth_ranks(engine: AnyEngine) -> Iterator[int]:
    """The truth's rank in one position of each of endlessly many games."""
    laid = tables(engine)
    for game in count():
        for table in laid:
            yield truth_rank(table, game)


def truth_rank(table: Table, game: int) -> int:
    """The rank of the truth among imagined worlds, by a measure that knows nothing of the game: the
    number of bits in common with a random number."""
    chance = FastRng(FAR + game)
    positions = play(table.engine, table.options, table.seats, game).positions
    state = positions[chance.below(len(positions))].state
    viewer = all_viewers(state)[chance.below(state.seats + 1)]
    view = table.engine.view(state, viewer)
    worlds = [table.engine.imagine(view, chance) for _ in range(OTHERS)]
    numbers = [holders(table.engine, world) for world in (state, *worlds)]
    mask = sum(int(chance.below(1 << 30)) << 30 * part for part in range(PLACES // 30 + 1))
    measured = [(number & mask).bit_count() for number in numbers]
    below = sum(measure < measured[0] for measure in measured)
    equal = measured.count(measured[0])
    return below + int(chance.below(equal))


def holders(engine: AnyEngine, world: State) -> int:
    """The holders of all cards according to the seats' own views: a bit for each card that a seat
    can have. Their knowledge of each other is not included, because a world is imagined without
    it."""
    bits = 0
    for seat in range(world.seats):
        view_fields = asdict(engine.view(world, seat))
        for name in SECRET & view_fields.keys():
            cards = (
                view_fields[name] if isinstance(view_fields[name], tuple) else [view_fields[name]]
            )
            for card in cards:
                bits |= 1 << crc32(f"{seat} {name} {card}".encode()) % PLACES
    return bits


# -- the past -------------------------------------------------------------------------------------


def surprises(table: Table, game: int, number: int) -> Iterator[str]:
    """The differences found at some positions of a game, for one viewer each."""
    positions = play(table.engine, table.options, table.seats, game).sample(number)
    for position in positions:
        viewer = all_viewers(position.state)[position.seq % (position.state.seats + 1)]
        if may_surprise(table.engine, position, viewer):
            earlier = list(survivors(table.engine, position, viewer, game))
            if len(earlier) >= ENOUGH:
                present = imagined_worlds(table.engine, position.state, viewer, game)
                label = f"{table}, game {game}, {position}, seen by {viewer}"
                yield from (
                    f"{label}: {difference}" for difference in differing_bits(earlier, present)
                )


def may_surprise(engine: AnyEngine, position: Position, viewer: int | None) -> bool:
    """Whether the worlds must agree there. They may differ where the viewer loses sight of cards:
    certain knowledge is kept, but probable knowledge, such as which of two swapping seats has a
    card, is not."""
    if position.before is None or viewer == position.seat:
        return False
    seen_counts = [
        in_sight(engine.view(state, viewer)) for state in (position.before, position.state)
    ]
    return seen_counts[0] <= seen_counts[1]


def in_sight(view: Any) -> int:
    """The number of cards that the viewer knows in other hands."""
    known_hands = getattr(view, "known", ())
    return sum(len(each if isinstance(each, tuple) else each.cards) for each in known_hands)


def survivors(
    engine: AnyEngine, position: Position, viewer: int | None, game: int
) -> Iterator[int]:
    """Worlds imagined before the step, after an action with the same view and news for the
    viewer."""
    before, seat, chance = position.before, position.seat or 0, FastRng(FAR + game)
    assert before is not None
    view, news = engine.view(position.state, viewer), engine.news(position.state, viewer)
    earlier = engine.view(before, viewer)
    for _ in range(ATTEMPTS):
        world = engine.imagine(earlier, chance)
        actions = possible(engine, position, world, viewer)
        if not actions:
            continue
        after = apply_to_copy(world, seat, actions[chance.below(len(actions))], chance)
        if engine.view(after, viewer) == view and engine.news(after, viewer) == news:
            yield holders(engine, after)


def possible(engine: AnyEngine, position: Position, world: State, viewer: int | None) -> list[int]:
    """The actions that the seat may have taken, as far as the viewer knows."""
    before, seat, action = position.before, position.seat or 0, position.action
    legal = [int(each) for each in world.legal_actions(seat)]
    readers = engine.sealed_fields(before, seat, action).values()
    if all(viewer is not None and mask >> viewer & 1 for mask in readers):
        return [action] if action in legal else []
    return [
        each for each in legal if each % (1 << BITS_PER_FIELD) == action % (1 << BITS_PER_FIELD)
    ]


def imagined_worlds(engine: AnyEngine, state: State, viewer: int | None, game: int) -> list[int]:
    """Worlds imagined after the step."""
    view, chance = engine.view(state, viewer), FastRng(2 * FAR + game)
    return [holders(engine, engine.imagine(view, chance)) for _ in range(ATTEMPTS)]


def differing_bits(first: list[int], second: list[int]) -> Iterator[str]:
    """The bits that are set significantly more often in one list than in the other."""
    ever = always = first[0]
    for number in (*first, *second):
        ever |= number
        always &= number
    for bit in range((ever ^ always).bit_length()):
        if (ever ^ always) >> bit & 1:
            shares = [sum(n >> bit & 1 for n in each) / len(each) for each in (first, second)]
            if abs(shares[0] - shares[1]) > WIDE * deviation(shares, len(first), len(second)):
                yield f"bit {bit} is set in {shares[0]:.0%} and in {shares[1]:.0%} of the worlds"


def deviation(shares: list[float], one: int, other: int) -> float:
    """The standard deviation of the difference of two shares that should be equal."""
    share = (shares[0] * one + shares[1] * other) / (one + other)
    return sqrt(share * (1 - share) * (1 / one + 1 / other))
