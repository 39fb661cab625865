"""Updates of an account's games for its stream, read for many games and accounts at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from api.shapes.streams import GameUpdate
from games import selectors
from games.selectors import DeclinedSeats, Game, GameHead
from tabularium_log.projection.endings import Ending
from tabularium_log.projection.open_proposals import asked_mask

NONE_DECLINED: Final = DeclinedSeats("", 0, None)


class Position(NamedTuple):
    """A position of a game, as an account sees it in its stream."""

    seq: int
    at: datetime
    declined: tuple[int, ...]

    def precedes(self, later: Position) -> bool:
        """Whether the later position has anything new. Seats are declined between two entries; of
        two such positions the one that was read earlier has the earlier time."""
        if self.seq != later.seq:
            return self.seq < later.seq
        return self.declined != later.declined and self.at <= later.at


class TimedUpdate(NamedTuple):
    """An update for one account on one of its games, and the time of the last change: the game's
    last entry, or a seat of the account's game that was declined after it."""

    update: GameUpdate
    at: datetime

    @property
    def position(self) -> Position:
        """The position in the update."""
        return Position(self.update.seq, self.at, self.update.declined)


def updates_by_account(
    heads: Sequence[GameHead], account: str | None = None
) -> list[tuple[str, TimedUpdate]]:
    """An update for each account that plays one of these games, is challenged in it, or is its
    owner and a seat was declined; or for this account only. The seats are read after the heads: one
    that was given up reveals nothing."""
    declined = selectors.declined_seats([head.pk for head in heads], account)
    played = selectors.seat_masks([head.pk for head in heads], account)
    gathering = [head.pk for head in heads if head.phase == Game.Phase.GATHERING]
    kept = selectors.challenge_masks(gathering, account) if gathering else {}
    endings = selectors.endings([head.pk for head in heads if head.phase == Game.Phase.OVER])
    updates = []
    for head in heads:
        seats, kept_seats = played.get(head.pk, {}), kept.get(head.pk, {})
        own = declined.get(head.pk, NONE_DECLINED)
        for player in {**seats, **kept_seats, **({own.owner: 0} if own.owner else {})}:
            mine = own if own.owner == player else NONE_DECLINED
            masks = seats.get(player, 0), kept_seats.get(player, 0)
            update = _game_update(head, *masks, mine, endings.get(head.pk))
            updates.append((player, TimedUpdate(update, max(head.at, mine.at or head.at))))
    return updates


def updates_of_games(games: Collection[str]) -> list[tuple[str, TimedUpdate]]:
    """The updates of the games with these ids."""
    return updates_by_account(selectors.heads_of(games))


def _game_update(
    head: GameHead, seats: int, kept_seats: int, declined: DeclinedSeats, ending: Ending | None
) -> GameUpdate:
    is_gathering = head.phase == Game.Phase.GATHERING
    return GameUpdate(
        game=head.pk,
        seq=head.seq,
        to_act=selectors.seats_in_mask(head.awaited),
        phase=head.phase,
        my_turn=bool(head.awaited & seats),
        challenged=selectors.seats_in_mask(kept_seats),
        declined=selectors.seats_in_mask(declined.seats if is_gathering else 0),
        asked=selectors.seats_in_mask(asked_mask(head.proposal) & seats),
        ending=ending,
    )
