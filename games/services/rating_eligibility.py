"""Rating eligibility, as far as a log cannot show it: a rated game needs opponents, and they must
be different players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engines.common.bits import first_n
from games.engines.common.rng import FastRng
from games.models import Account, Player
from games.projection.projection import GameRefusal, Projection
from games.projection.rated_table_checks import duplicate_seat_refusal

SAMPLE_DEALS: Final = 16  # deals to try: in some variants the deal decides on the partners


def check_ratable(table: Projection, accounts: Sequence[Account | None]) -> None:
    """Refuse a new table that asks to be rated, but cannot be."""
    if not table.creation.rated:
        return
    known = [account.pk for account in accounts if account is not None]
    if len(set(known)) < len(known):
        raise duplicate_seat_refusal()
    if all(_is_cooperative(table, deal) for deal in range(SAMPLE_DEALS)):
        sentence = "All seats of this game win together: the result ranks no player."
        raise GameRefusal("rated-together", sentence)


def check_one_seat(game: str, rated_as: str) -> None:
    """Refuse a second seat before the database does: the caller holds the head of the log."""
    if rated_as and Player.objects.filter(game=game, rated_as=rated_as).exists():
        raise duplicate_seat_refusal()


def _is_cooperative(table: Projection, deal: int) -> bool:
    seats = table.creation.seats
    state = table.engine.start(table.options, seats, FastRng(deal))
    return bool(state.team_of(0) == first_n(seats))
