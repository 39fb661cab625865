"""How does a game come to be? Created, joined, its seeds opened; a fork, or called off again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from django.conf import settings
from django.utils import timezone

from games import ids, registry, selectors, tracing
from games.engines.common import codec
from games.engines.common.codec import Json
from games.fairness.receipts import public_key
from games.fairness.secret import commitment, fresh_secret
from games.models import Account, Player
from games.positions import Position
from games.ratings.players import player_of
from games.services import contests
from games.services.changes import Appended, announce, change
from games.services.keeping import game_keep
from games.table import actions
from games.table.scribe import Scribe, opened_log
from games.table.table import Refused, Table

Visibility = Literal["public", "private"]


@dataclass(frozen=True)
class Seating:
    """Who is to sit on a seat from the beginning: an account, a bot, or (neither) nobody yet."""

    account: Account | None = None
    bot: str | None = None
    seed_hash: str | None = None


def game_create(  # noqa: PLR0913  # all but two are wishes that one may not have
    rules: str,
    seating: Sequence[Seating],
    *,
    options: Json = None,
    clock: actions.Clock | None = None,
    owner: Account | None = None,
    visibility: Visibility = "public",
    rated: bool = False,
) -> Appended:
    """A new game, which starts at once if nobody is missing. Refused or Malformed, and no game."""
    engine = registry.ENGINES.get(rules)
    if engine is None:
        raise Refused("unknown-rules", f"There are no rules called {rules} here.")
    options = {} if options is None else options
    codec.from_json(engine.about.options, options, "/options")  # before any of it is written down
    create = _create(rules, engine.about.version, len(seating), options, clock)
    return _open(replace(create, rated=rated), seating, owner, visibility)


def game_fork(
    game: str,
    seq: int,
    seating: Sequence[Seating],
    *,
    seat: int | None = None,
    owner: Account | None = None,
    visibility: Literal["private"] | None = None,
) -> Appended:
    """A new game from a position of another: all of it if that game is over, else what `seat` knew
    of it, the rest dealt again; such a fork is private, for it shows that seat's cards, and so is
    every fork of a private game."""
    origin, table, position = selectors.fork_origin(game, seq, seat)
    if len(seating) != table.create.seats or not all(who.account or who.bot for who in seating):
        raise Refused("wrong-seats", f"A fork needs its {table.create.seats} seats filled.")
    was = table.create
    create = _create(was.rules, was.version, was.seats, was.options, was.clock, origin)
    return _open(create, seating, owner, visibility or _inherited(game, seat), position)


def _inherited(game: str, seat: int | None) -> Visibility:
    """Who may look on at a fork, if nothing is said about it."""
    is_public = seat is None and selectors.is_public(game)
    return "public" if is_public else "private"


def _create(
    rules: str,
    version: int,
    seats: int,
    options: Json,
    clock: actions.Clock | None,
    origin: actions.Origin | None = None,
) -> actions.Create:
    key = public_key(settings.SIGNING_KEYS[0])
    digest = registry.digest(rules)
    return actions.Create(rules, version, digest, seats, options, "", key, clock, origin)


def _open(
    create: actions.Create,
    seating: Sequence[Seating],
    owner: Account | None,
    visibility: Visibility,
    position: Json = None,
) -> Appended:
    """The rows of a new game, all in one transaction."""
    game, secret, now = ids.fresh("game"), fresh_secret(), timezone.now()
    tracing.note(game=game)
    promised = replace(create, commitment=commitment(game, secret))
    scribe = opened_log(game, secret, promised, now)
    contests.check(scribe.table, [who.account for who in seating])
    for seat, who in enumerate(seating):
        if who.account or who.bot:
            scribe.write(seat, actions.Join(who.bot, who.seed_hash), now)
    scribe.start_if_complete(now, position)
    accounts = [who.account for who in seating]
    game_keep(
        scribe.table, scribe.rows, secret, accounts=accounts, owner=owner, visibility=visibility
    )
    opened = Position(scribe.table, scribe.hash, secret)
    announce(opened, 1)
    return Appended(opened, 1, scribe.table.seq)


def player_join(
    game: str,
    seat: int,
    *,
    account: Account | None = None,
    bot: str | None = None,
    seed_hash: str | None = None,
) -> Appended:
    """Let an account or a bot take a free seat; the last to come starts the game."""

    def write(scribe: Scribe, now: datetime) -> None:
        scribe.write(seat, actions.Join(bot, seed_hash), now)

    def seat_player(first: int, table: Table) -> None:
        rated_as = player_of(account, bot) if table.create.rated else ""
        contests.check_seat(game, rated_as)
        who = {"account": account, "bot": bot or "", "rated_as": rated_as}
        Player.objects.create(game_id=game, seat=seat, **who)

    return change(game, write, seat_player)


def player_leave(game: str, seat: int) -> Appended:
    """Free a seat again, before the game has started."""

    def write(scribe: Scribe, now: datetime) -> None:
        scribe.write(seat, actions.Leave(), now)

    def unseat_player(first: int, table: Table) -> None:
        Player.objects.filter(game=game, seat=seat).delete()

    return change(game, write, unseat_player)


def seed_open(game: str, seat: int, seed: str) -> Appended:
    """Tell the seed of a seat, in hex; the last one starts the game."""

    def write(scribe: Scribe, now: datetime) -> None:
        scribe.write(seat, actions.OpenSeed(seed), now)

    return change(game, write)


def game_call_off(game: str) -> Appended:
    """Close the log of a game that has not started."""

    def write(scribe: Scribe, now: datetime) -> None:
        if scribe.table.phase != "gathering":
            raise Refused("started", "The game has started: it can only be resigned.")
        scribe.write(None, actions.End(scribe.secret.hex()), now)

    def unrate_players(first: int, table: Table) -> None:
        Player.objects.filter(game=game).update(rated_as="")

    return change(game, write, unrate_players)
