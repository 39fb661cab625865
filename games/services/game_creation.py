"""Services for creating games: create or fork a game, seat its players, open their seeds, or call
it off.

A rated game needs opponents, and they must be different players; a log does not name them, so this
is checked here. The rows of a new game are inserted in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import ids, request_trace, selectors
from games.log_store import LogHead, insert_first_rows
from games.models import Account, Game, Player
from games.position_cache import Position
from games.ratings.player_ratings import rated_player_id
from games.services.append_transaction import AppendResult, announce_after_commit, change_game
from games.services.challenges import challenges_insert
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec
from tabularium_engines.common.bits import first_n
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_log.fairness.committed_draws import commitment, new_secret
from tabularium_log.fairness.encryption import lock_secret
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import StoredEntry
from tabularium_log.projection.entry_writer import EntryWriter, start_log
from tabularium_log.projection.fold import duplicate_seat_refusal
from tabularium_log.projection.projection import GameRefusal, Projection

Visibility = Literal["public", "private"]

SAMPLE_DEALS: Final = 16  # deals to try: in some variants the deal decides on the partners


@dataclass(frozen=True)
class SeatAssignment:
    """The player on a seat from the beginning: an account, a bot, or (neither) none yet. The seat
    may be kept for an account that is `challenged`."""

    account: Account | None = None
    bot: str | None = None
    seed_hash: str | None = None
    challenged: Account | None = None


def create_game(  # noqa: PLR0913  # all but two are optional
    rules: str,
    seating: Sequence[SeatAssignment],
    *,
    version: int | None = None,
    options: Json = None,
    clock: table_actions.Clock | None = None,
    owner: Account | None = None,
    visibility: Visibility = "public",
    rated: bool = False,
    hints: bool = False,
    rematch: str | None = None,
) -> AppendResult:
    """A new game, by the newest version of its rules or the one that is asked for; it starts at
    once if every seat is ready. Raises GameRefusal or MalformedDocument, and then creates no
    game."""
    engine = _find_playable_engine(rules, version)
    options = {} if options is None else options
    json_codec.from_json(
        engine.about.options, options, "/options"
    )  # checked before anything is written
    create = _create_action(rules, engine.about.version, len(seating), options, clock)
    return _open_game(
        replace(create, rated=rated, hints=hints, rematch=rematch), seating, owner, visibility
    )


def _find_playable_engine(rules: str, version: int | None) -> AnyEngine:
    if rules not in registry.ENGINES:
        raise GameRefusal("unknown-rules", f"There is no ruleset {rules}.")
    try:
        return registry.find_engine(rules, version)
    except registry.RulesetNotInstalled as problem:
        raise GameRefusal("unknown-rules", f"{problem}.") from problem


def fork_game(
    game: str,
    seq: int,
    seating: Sequence[SeatAssignment],
    *,
    seat: int | None = None,
    owner: Account | None = None,
    visibility: Literal["private"] | None = None,
) -> AppendResult:
    """A new game from a position of another: the complete one, if that game is over, or the view of
    `seat`, the rest dealt again. A fork from a view is private, for it shows that seat's cards, and
    so is every fork of a private game."""
    origin, table, position = selectors.fork_origin(game, seq, seat)
    if len(seating) != table.creation.seats or not all(
        assignment.account or assignment.bot for assignment in seating
    ):
        raise GameRefusal(
            "wrong-seats", f"A fork needs players for all its {table.creation.seats} seats."
        )
    creation = table.creation
    create = _create_action(
        creation.rules, creation.version, creation.seats, creation.options, creation.clock, origin
    )
    return _open_game(
        create, seating, owner, visibility or _inherited_visibility(game, seat), position
    )


def _inherited_visibility(game: str, seat: int | None) -> Visibility:
    """The visibility of a fork, unless it is given."""
    is_public = seat is None and selectors.is_public(game)
    return "public" if is_public else "private"


def _create_action(
    rules: str,
    version: int,
    seats: int,
    options: Json,
    clock: table_actions.Clock | None,
    origin: table_actions.Origin | None = None,
) -> table_actions.Create:
    key = public_key(settings.SIGNING_KEYS[0])
    digest = registry.ruleset_digest(rules, version)
    return table_actions.Create(rules, version, digest, seats, options, "", key, clock, origin)


def _open_game(
    create: table_actions.Create,
    seating: Sequence[SeatAssignment],
    owner: Account | None,
    visibility: Visibility,
    position: Json = None,
) -> AppendResult:
    """Insert the rows of a new game, all in one transaction."""
    game, secret, now = ids.new_id("game"), new_secret(), timezone.now()
    request_trace.add_to_trace(game=game)
    create_action = replace(create, commitment=commitment(game, secret))
    writer = start_log(game, secret, create_action, now)
    check_ratable(writer.projection, [assignment.account for assignment in seating])
    for seat, assignment in enumerate(seating):
        if assignment.account or assignment.bot:
            writer.write(seat, table_actions.Join(assignment.bot, assignment.seed_hash), now)
    writer.start_if_complete(now, position)
    with transaction.atomic():
        game_insert(
            writer.projection,
            writer.rows,
            secret,
            accounts=[assignment.account for assignment in seating],
            owner=owner,
            visibility=visibility,
        )
        challenges_insert(game, _challenged_accounts(seating))
    new_position = Position(writer.projection, writer.head_hash, secret)
    announce_after_commit(new_position, 1)
    return AppendResult(new_position, 1, writer.projection.seq)


def _challenged_accounts(seating: Sequence[SeatAssignment]) -> dict[int, Account]:
    """The accounts for which seats are kept, by seat."""
    return {
        seat: assignment.challenged
        for seat, assignment in enumerate(seating)
        if assignment.challenged is not None
    }


def join_game(
    game: str,
    seat: int,
    *,
    account: Account | None = None,
    bot: str | None = None,
    seed_hash: str | None = None,
) -> AppendResult:
    """Let an account or a bot take a free seat; the last one to join starts the game."""

    def write(writer: EntryWriter, now: datetime) -> None:
        writer.write(seat, table_actions.Join(bot, seed_hash), now)

    def seat_player(first: int, table: Projection) -> None:
        if account is not None:
            _check_not_kept(game, seat, account)
        _insert_player(table, seat, account, bot)

    return change_game(game, write, seat_player)


def fill_seats(game: str, bot: str) -> AppendResult:
    """Let a bot take all free seats at once, which starts the game unless a seed is promised."""
    seats: list[int] = []

    def write(writer: EntryWriter, now: datetime) -> None:
        if writer.projection.phase != "gathering":
            raise GameRefusal("started", "The game has started.")
        seats[:] = writer.projection.free_seats
        for seat in seats:
            writer.write(seat, table_actions.Join(bot), now)

    def seat_bots(first: int, table: Projection) -> None:
        for seat in seats:
            _insert_player(table, seat, None, bot)

    return change_game(game, write, seat_bots)


def _check_not_kept(game: str, seat: int, account: Account) -> None:
    """Refuse a seat that is kept for another account, or that this one has declined, perhaps at the
    same time: the caller holds the head of the log."""
    kept = selectors.kept_seat(game, seat)
    if kept is not None and not kept.may_be_taken_by(account.pk):
        raise GameRefusal("seat-kept", f"Seat {seat} is kept for another player.")


def _insert_player(table: Projection, seat: int, account: Account | None, bot: str | None) -> None:
    """Insert the row of a player who has joined; refuse a second seat in a rated game."""
    rated_as = rated_player_id(account, bot) if table.creation.rated else ""
    check_one_seat(table.game, rated_as)
    values = {"account": account, "bot": bot or "", "rated_as": rated_as}
    Player.objects.create(game_id=table.game, seat=seat, **values)


def leave_game(game: str, seat: int) -> AppendResult:
    """Free a seat again, before the game has started."""

    def write(writer: EntryWriter, now: datetime) -> None:
        writer.write(seat, table_actions.Leave(), now)

    def unseat_player(first: int, table: Projection) -> None:
        Player.objects.filter(game=game, seat=seat).delete()

    return change_game(game, write, unseat_player)


def open_seed(game: str, seat: int, seed: str) -> AppendResult:
    """Reveal the seed of a seat, in hex; the last one starts the game."""

    def write(writer: EntryWriter, now: datetime) -> None:
        writer.write(seat, table_actions.OpenSeed(seed), now)

    return change_game(game, write)


def call_off_game(game: str) -> AppendResult:
    """Close the log of a game that has not started."""

    def write(writer: EntryWriter, now: datetime) -> None:
        if writer.projection.phase != "gathering":
            raise GameRefusal("started", "The game has started: it can only be resigned.")
        writer.write(None, table_actions.End(writer.secret.hex()), now)

    return change_game(game, write, unrate_players)


def unrate_players(first: int, table: Projection) -> None:
    """Take the players of a game that ends without a result out of the ratings."""
    Player.objects.filter(game=table.game).update(rated_as="")


# -- rating eligibility ----------------------------------------------------------------------------


def check_ratable(table: Projection, accounts: Sequence[Account | None]) -> None:
    """Refuse a new table that asks to be rated, but cannot be."""
    if not table.creation.rated:
        return
    account_ids = [account.pk for account in accounts if account is not None]
    if len(set(account_ids)) < len(account_ids):
        raise duplicate_seat_refusal()
    newest = registry.ENGINES[table.creation.rules]  # it judges earlier versions, too
    if sentence := newest.rating_refusal(table.options, table.creation.seats):
        raise GameRefusal("rated-legs", sentence)
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


# -- inserting the rows of a game ------------------------------------------------------------------


def game_insert(
    table: Projection,
    rows: Sequence[StoredEntry],
    secret: bytes,
    *,
    accounts: Sequence[Account | None],
    owner: Account | None = None,
    visibility: str = Game.Visibility.PUBLIC,
) -> Game:
    """Insert a game with its whole log, and its players; `accounts` are by seat."""
    create = table.creation
    game = Game(
        id=table.game,
        owner=owner,
        rules=create.rules,
        version=create.version,
        seats=create.seats,
        visibility=visibility,
        rated=create.rated,
        **LogHead(rows[-1].hash, table).columns(),
    )
    players = [
        Player(
            seat=seat,
            account=accounts[seat],
            bot=occupant.bot or "",
            rated_as=rated_player_id(accounts[seat], occupant.bot) if create.rated else "",
        )
        for seat, occupant in enumerate(table.occupants)
        if occupant is not None
    ]
    return game_insert_rows(game, rows, secret, players)


def game_insert_rows(
    game: Game, rows: Sequence[StoredEntry], secret: bytes, players: Sequence[Player]
) -> Game:
    """Insert the rows of a game, in one transaction."""
    game.secret = lock_secret(settings.SEALING_KEYS, game.pk, secret)
    for player in players:
        player.game = game
    with transaction.atomic():
        game.save(force_insert=True)
        insert_first_rows(game.pk, rows)
        Player.objects.bulk_create(players)
    return game
