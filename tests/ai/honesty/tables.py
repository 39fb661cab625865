"""Twin games: a bot does the same in two stored games that its seat cannot distinguish, each with
its own secret."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import shake_128
from itertools import count
from typing import Any, Final

import pytest

from ai import bot_registry, bot_turn, view_guard
from ai.bot_kinds import Budget
from ai.models import Thought
from games import selectors, services
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.projection.projection import Projection

SEED: Final = 987_654_321
SIMULATIONS: Final = 60
# The fields of two turns that must be equal: all but those of the game itself.
SAME: Final = ("ruleset", "version", "bot", "view", "actions")


def forked_games(slug: str, bot: str, steps: int) -> tuple[list[str], int]:
    """Two games forked from a seat's knowledge after some steps of another game, and the seat. They
    are the same in every run, and differ in information hidden from that seat."""
    with pytest.MonkeyPatch.context() as patch:
        fix_randomness(patch, f"{slug} {bot} {steps}")
        table = table_after(slug, steps)
        while not (awaited := selectors.awaited_bot_seats(table)):
            table = table_after(
                slug, steps
            )  # once in thousands, three cards decide a game of Duality
        seating = [SeatAssignment(bot=bot)] * table.creation.seats
        forks = [services.fork_game(table.game, table.seq, seating, seat=awaited[0]) for _ in "12"]
    games = [fork.projection.game for fork in forks]
    first, second = (selectors.game_projection(game).state for game in games)
    is_open = slug == "duel_edged_sword"  # nothing is hidden there
    assert first
    assert second
    assert is_open or first.contents() != second.contents()
    return games, awaited[0]


def fix_randomness(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Derive ids and randomness from a seed, without repetitions."""
    numbers = count(1)

    def token_bytes(length: int = 32) -> bytes:
        return shake_128(f"{seed} {next(numbers)}".encode()).digest(length)

    patch.setattr("games.ids.new_id", lambda prefix: f"{prefix}_{token_bytes(16).hex()}")
    patch.setattr("secrets.token_bytes", token_bytes)
    patch.setattr("secrets.randbits", lambda bits: int.from_bytes(token_bytes(20)) >> 160 - bits)


def table_after(slug: str, steps: int) -> Projection:
    """A game after this many random steps, or over."""
    players = [SeatAssignment(bot="random")] * ENGINES[slug].about.seats[0]
    table = services.create_game(slug, players).projection
    for _ in range(steps):
        if selectors.awaited_bot_seats(table):
            act(table.game)
            table = selectors.game_projection(table.game)
    return table


def games_forked_at_end(slug: str, bot: str, patch: pytest.MonkeyPatch) -> tuple[list[str], int]:
    """Two games forked before the last decision of another game of such bots, and the deciding
    seat. The other game is the same in every run."""
    seating = [SeatAssignment(bot=bot)] * ENGINES[slug].about.seats[0]
    names = count(1)
    with patch.context() as still:
        still.setattr("games.ids.new_id", lambda prefix: f"{prefix}_{next(names):032x}")
        still.setattr("secrets.token_bytes", bytes)
        still.setattr("secrets.randbits", lambda bits: SEED)
        table = services.create_game(slug, seating).projection
        game = table.game
        while awaited := selectors.awaited_bot_seats(table):
            seq, seat = table.seq, awaited[0]
            act(game)
            table = selectors.game_projection(game)
    return [services.fork_game(game, seq, seating).projection.game for _ in range(2)], seat


def act(game: str) -> None:
    """Let the first awaited bot act."""
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    assert bot_turn.take_turn(game, seat, table.choice_token(seat))


def check_tables(games: list[str], seat: int, patch: pytest.MonkeyPatch) -> None:
    """A bot gets the same input, computes the same and does the same in both games."""
    first, second = (take_turn(game, seat, patch) for game in games)
    differing = [name for name in first if first[name] != second[name]]
    assert not differing, (
        f"{games}, seat {seat}: what is hidden shows in the {', '.join(differing)}"
    )


def take_turn(game: str, seat: int, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """All inputs and results of a bot's turn, with the same seed everywhere. Its action is the
    first entry written: if that decides the game, another entry follows, which reveals the
    secret."""
    turn = selectors.bot_turn(game, seat)
    assert turn
    budget = Budget(simulations=SIMULATIONS)
    inputs = {name: getattr(turn, name) for name in SAME}
    decision = view_guard.decide_from_view(
        turn.ruleset, turn.version, turn.bot, turn.view, SEED, budget
    )
    with patch.context() as patched:
        patched.setattr("secrets.randbits", lambda bits: SEED)
        patched.setattr(
            bot_registry, "THINKING_SECONDS", dict.fromkeys(bot_registry.COMMON_BOT_NAMES, 0.0)
        )
        result = bot_turn.take_turn(game, seat, turn.token)
    assert result
    note = Thought.objects.get(game=game)
    stored = {"seed": note.seed, "bot": note.bot, "digest": note.digest}
    return (
        inputs
        | asdict(decision)
        | stored
        | {"done": result.written_entries[0].projection.entry.action}
    )
