"""Repeated requests without an idempotency key, from clients whose reply was lost: if the requested
state is reached already, they are answered, not refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, ParamSpec

from api.errors import Refusal
from games import selectors
from games.selectors import Game
from games.services import GameRefusal
from tabularium_log.projection.table_actions import Agreement

P = ParamSpec("P")
LEAVE_ACTION_TYPE: Final = "table.leave"


@contextmanager
def answered_if(
    is_state_reached: Callable[P, bool], *arguments: P.args, **named_arguments: P.kwargs
) -> Iterator[None]:
    """Drop a refusal if the requested state is reached. That is asked after the refusal, as the
    request that reached it may have been processed at the same time."""
    try:
        yield
    except (GameRefusal, Refusal):
        if not is_state_reached(*arguments, **named_arguments):
            raise


def has_started(game: str) -> bool:
    """Whether the game has been dealt."""
    return selectors.game_projection(game).state is not None


def has_joined(account: str, game: str, seat: int, seed_hash: str | None) -> bool:
    """Whether the account holds the seat, with this same seed hash."""
    if seat not in selectors.seats_of(account, game):
        return False
    occupant = selectors.game_projection(game).occupants[seat]
    return occupant is not None and occupant.seed_hash == seed_hash


def has_left(game: str, seat: int) -> bool:
    """Whether the seat is free because a player has left it. A log does not name accounts, so any
    player counts."""
    table = selectors.game_projection(game)
    if table.phase != "gathering" or not 0 <= seat < table.creation.seats:
        return False
    entries = [
        projection.entry
        for projection in selectors.game_projections(game)
        if projection.entry.seat == seat
    ]
    return bool(entries) and entries[-1].action["type"] == LEAVE_ACTION_TYPE


def has_resigned(account: str, game: str, seat: int) -> bool:
    """Whether the account has resigned this seat while the game was on."""
    has_held = selectors.has_held_seat(account, game, seat)
    return has_held and selectors.game_projection(game).has_resigned(seat)


def has_ended_without_result(game: str) -> bool:
    """Whether the game was called off or aborted."""
    table = selectors.game_projection(game)
    return table.phase == "over" and table.outcome is None


def has_proposed(game: str, seat: int, of: Agreement, to: int | None) -> bool:
    """Whether the seat has made this proposal, and it is open."""
    proposal = selectors.game_projection(game).proposal
    return proposal is not None and (proposal.seat, proposal.of, proposal.to) == (seat, of, to)


def has_opened_seed(game: str, seat: int, seed: str) -> bool:
    """Whether this seed of the seat is open. It is public by then, so anyone may ask."""
    seeds = selectors.game_projection(game).open_seeds
    return 0 <= seat < len(seeds) and seeds[seat] == seed


def has_seated_bot(account: str, game: Game, seat: int, bot: str) -> bool:
    """Whether the bot plays a seat that the account could give it: any in its own game, or one that
    it has held."""
    if account != game.owner_id and not selectors.has_held_seat(account, game.pk, seat):
        return False
    occupants = selectors.game_projection(game.pk).occupants
    occupant = occupants[seat] if 0 <= seat < len(occupants) else None
    return occupant is not None and occupant.bot == bot
