"""Rated games for the tests that end cheaply: all but the winner resign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games import services
from games.models import Account, Rating
from games.services import SeatAssignment
from tabularium_log.projection.table_actions import Clock

SLUG: Final = "law_of_the_dice"
CLOCK: Final = Clock(60_000, "resign")
# what a rated game of two players needs
PAIRED: Final[dict[str, Any]] = {"clock": CLOCK, "rated": True, "options": {"legs": 2}}


def accounts(count: int) -> list[Account]:
    """That many accounts."""
    return [Account.objects.create(name=f"Player {number}") for number in range(count)]


def begun(players: Sequence[Account | str], slug: str = SLUG, **options: Any) -> str:
    """A rated game of accounts and of bots, given by name."""
    seating = [
        SeatAssignment(bot=player) if isinstance(player, str) else SeatAssignment(account=player)
        for player in players
    ]
    game_options: dict[str, Any] = {"clock": CLOCK, "rated": True, **options}
    if slug == SLUG and len(players) == 2:
        game_options.setdefault("options", PAIRED["options"])
    return services.create_game(slug, seating, **game_options).projection.game


def given_up(game: str, *seats: int) -> str:
    """The game, after these seats have resigned."""
    for seat in seats:
        services.resign_seat(game, seat)
    return game


def won(winner: Account, loser: Account, *, slug: str = SLUG) -> str:
    """A game of two that the first has won."""
    return given_up(begun([winner, loser], slug), 1)


def latest() -> dict[str, tuple[int, float]]:
    """The number of rated games and mu, by player."""
    rows = Rating.objects.filter(is_latest=True)
    return {row.player: (row.games, row.mu) for row in rows}
