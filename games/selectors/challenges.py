"""Selectors of challenges: the free seats that are kept for an account, until it takes the seat or
declines. After it has declined, or was deleted, the seat is at the disposal of the game's owner."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Challenge, Game, Player
from games.selectors.positions import game_projection


class KeptSeat(NamedTuple):
    """A free seat that is kept for an account, None if that was deleted; and the game's owner."""

    account: str | None
    name: str | None  # of the account
    owner: str | None
    has_declined: bool

    def may_be_taken_by(self, account: str) -> bool:
        """Whether the account may take the seat."""
        return account == (self.owner if self.has_declined else self.account)


def kept_seat_rows() -> QuerySet[Challenge]:
    """The challenges that keep a seat, accepted or not: nobody sits there."""
    players = Player.objects.filter(game=OuterRef("game"), seat=OuterRef("seat"))
    return Challenge.objects.exclude(Exists(players))


def open_challenges() -> QuerySet[Challenge]:
    """The challenges that wait for their account."""
    return kept_seat_rows().filter(
        declined=None, account__isnull=False, game__phase=Game.Phase.GATHERING
    )


class DeclinedSeats(NamedTuple):
    """The seats of a game that were declined and are free, and when the last was declined; the
    game's owner disposes of them."""

    owner: str
    seats: int  # bit mask
    at: datetime | None  # None: by accounts that were deleted before the time was recorded


def declined_challenges() -> QuerySet[Challenge]:
    """The challenges that were declined, also those whose seats are taken by now."""
    return Challenge.objects.filter(Q(declined__isnull=False) | Q(account=None))


def declined_seats(games: Collection[str], account: str | None = None) -> dict[str, DeclinedSeats]:
    """The declined seats of the games of all owners (or of this one only), by game."""
    challenges = declined_challenges().filter(game__in=games, game__owner__isnull=False)
    if account is not None:
        challenges = challenges.filter(game__owner=account)
    players = Player.objects.filter(game=OuterRef("game"), seat=OuterRef("seat"))
    columns = ("game", "game__owner", "seat", "declined", "is_taken")
    declined: dict[str, DeclinedSeats] = {}
    for game, owner, seat, at, is_taken in challenges.annotate(
        is_taken=Exists(players)
    ).values_list(*columns):
        _, seats, last = declined.get(game, DeclinedSeats(owner, 0, None))
        times = [moment for moment in (at, last) if moment is not None]
        mask = 0 if is_taken else 1 << seat
        declined[game] = DeclinedSeats(owner, seats | mask, max(times, default=None))
    return declined


def kept_seats_of(games: Collection[str]) -> dict[str, dict[int, KeptSeat]]:
    """The seats of games that are kept for an account, by game and seat."""
    return _by_game(kept_seat_rows().filter(game__in=games, game__phase=Game.Phase.GATHERING))


def kept_seat(game: str, seat: int) -> KeptSeat | None:
    """How a free seat is kept for an account; None if it is not. Also within the transaction in
    which the seat is taken, and the game starts."""
    return _by_game(kept_seat_rows().filter(game=game, seat=seat)).get(game, {}).get(seat)


def _by_game(rows: QuerySet[Challenge]) -> dict[str, dict[int, KeptSeat]]:
    kept: dict[str, dict[int, KeptSeat]] = {}
    columns = ("account", "account__name", "game__owner", "declined")
    for game, seat, account, name, owner, declined in rows.values_list("game", "seat", *columns):
        has_declined = declined is not None or account is None
        kept.setdefault(game, {})[seat] = KeptSeat(account, name, owner, has_declined)
    return kept


def challenge_masks(
    games: Collection[str], account: str | None = None
) -> dict[str, dict[str, int]]:
    """The seats that wait for each account (or for this one only), as a bit mask, by game."""
    masks: dict[str, dict[str, int]] = {}
    challenges = open_challenges().filter(game__in=games)
    if account is not None:
        challenges = challenges.filter(account=account)
    for game, challenged, seat in challenges.values_list("game", "account", "seat"):
        game_masks = masks.setdefault(game, {})
        game_masks[str(challenged)] = game_masks.get(str(challenged), 0) | 1 << seat
    return masks


def is_challenged(account: str, game: str) -> bool:
    """Whether a seat of the game waits for the account."""
    return challenged_seat(account, game) is not None


def has_declined(account: str, game: str, seat: int) -> bool:
    """Whether the account has declined this seat."""
    declined = Challenge.objects.filter(game=game, seat=seat, account=account)
    return declined.exclude(declined=None).exists()


def rematch_of(game: Game) -> str | None:
    """The rematch of a game; None if there is none, or it was called off before it began."""
    if game.next_id is None:
        return None
    table = game_projection(game.next_id)
    return None if table.phase == "over" and table.state is None else game.next_id


def challenged_seat(account: str, game: str) -> int | None:
    """The first seat of the game that waits for the account."""
    challenges = open_challenges().filter(game=game, account=account)
    return challenges.order_by("seat").values_list("seat", flat=True).first()
