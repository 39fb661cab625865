"""Is a game of this database what its log says? And how does its log leave the database?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.conf import settings

from games import selectors
from games.appending import Head
from games.audit import writing
from games.audit.replay import Links, Replay
from games.audit.verdict import Flaw, Verdict, bad, good, locked
from games.audit.writing import Log, Piece
from games.fairness.canonical import parsed
from games.fairness.receipts import Receipt, signer
from games.fairness.secret import box_key
from games.fairness.vault import Box
from games.models import Entry as EntryRow
from games.models import Game, Import, Player
from games.opening import GameLocked, secret_of
from games.positions import UnknownGame
from games.registry import UnknownRules
from games.table.actions import ACTIONS, Create, Origin
from games.table.entry import Entry, Row, opened
from games.table.table import Table

ATTEMPTS: Final = 100  # to read a game between two of its entries


class Kept(NamedTuple):
    """What the database has of a game besides its log, all from the same moment."""

    game: Game
    players: dict[int, str]  # the bot of each seat, "" for an account
    has_more: bool  # are there entries after the head?


def game_ids() -> list[str]:
    """Every game there is, the oldest first."""
    return list(Game.objects.order_by("pk").values_list("pk", flat=True))


# -- verifying ------------------------------------------------------------------------------------


def verified(game: str) -> Verdict:
    """What is to be said of a game: of its chain, its seals, its chance, its rules, and of the
    rows beside its log."""
    kept = _kept(game)
    try:
        table, head = _replayed(kept)
        _compare(kept, table, head)
    except GameLocked as problem:
        return locked(game, f"{problem}.")
    except Flaw as flaw:
        return bad(game, flaw)
    except UnknownRules as unknown:
        return bad(game, _chain_alone(kept) or Flaw(f"{unknown}.", 1), has_rules=False)
    return good(game, table)


def _kept(game: str) -> Kept:
    for _ in range(ATTEMPTS):
        row = _game(game)
        players = dict(Player.objects.filter(game=game).values_list("seat", "bot"))
        has_more = EntryRow.objects.filter(game=game, seq__gt=row.seq).exists()
        if Game.objects.filter(pk=game, seq=row.seq).exists():
            break
    return Kept(row, players, has_more)


def _game(game: str) -> Game:
    row = Game.objects.select_related("imported").filter(pk=game).first()
    if row is None:
        raise UnknownGame(game)
    return row


def _replayed(kept: Kept) -> tuple[Table, str]:
    """The table to which the log leads, and the hash of its last entry."""
    game = kept.game
    secret = secret_of(game.pk, bytes(game.secret))
    replay, box = Replay(game.pk, secret), Box(box_key(secret, game.pk))
    for row in _rows(game):
        replay.follow(row.text, _opened(box, row))
        if row.hash != replay.links.head:
            raise Flaw("The hash beside the entry is not its hash.", row.seq)
    if replay.table is None or replay.links.seq != game.seq:
        raise Flaw("The entry is missing.", replay.links.seq + 1)
    if kept.has_more:
        raise Flaw("There are entries after the head of the log.", game.seq + 1)
    return replay.table, replay.links.head


def _opened(box: Box, row: Row) -> Entry:
    try:
        return opened(box, row.seq, row.box)
    except (ValueError, TypeError) as problem:  # Locked, or locked up as something else
        raise Flaw("The sealed fields do not open.", row.seq) from problem


def _compare(kept: Kept, table: Table, head: str) -> None:
    """The rows beside the log must say what follows from it."""
    create = table.create
    follows: dict[str, Any] = Head(head, table).columns() | {
        "rules": create.rules,
        "version": create.version,
        "seats": create.seats,
        "rated": create.rated,
    }
    for name, value in follows.items():
        if getattr(kept.game, name) != value:
            said = getattr(kept.game, name)
            raise Flaw(f"The game's row says {name} {said}, but from its log follows {value}.")
    players = {seat: who.bot or "" for seat, who in enumerate(table.occupants) if who is not None}
    if kept.players != players:
        raise Flaw("The players' rows do not say who, by the log, sits where.")
    if create.origin is not None:
        _check_origin(create.origin)


def _check_origin(origin: Origin) -> None:
    """The game of which this is a fork, if it is here, must have that entry."""
    rows = EntryRow.objects.filter(game=origin.game, seq=origin.seq)
    if origin.hash not in rows.values_list("hash", flat=True) and _is_here(origin.game):
        raise Flaw("The game of which this is a fork has no such entry.", 1)


def _is_here(game: str) -> bool:
    return Game.objects.filter(pk=game).exists()


def _chain_alone(kept: Kept) -> Flaw | None:
    """What is wrong with a chain, where nobody knows the rules."""
    links = Links(kept.game.pk)
    try:
        for row in _rows(kept.game):
            links.follow(row.text)
            if row.hash != links.head:
                return Flaw("The hash beside the entry is not its hash.", row.seq)
    except Flaw as flaw:
        return flaw
    return None


def _rows(game: Game) -> Iterator[Row]:
    rows = EntryRow.objects.filter(game=game, seq__lte=game.seq).order_by("seq")
    for row in rows.iterator(chunk_size=1_000):
        yield Row(row.seq, row.text, row.hash, bytes(row.box))


# -- exporting ------------------------------------------------------------------------------------


def export_lines(game: str, viewer: str) -> Iterator[str]:
    """The export of a game for a viewer, without line feeds; UnknownGame, GameLocked or Refused."""
    row = _game(game)
    secret = secret_of(game, bytes(row.secret))
    is_over = row.phase == Game.Phase.OVER
    pieces = _pieces_of_old(row, secret) if is_over else _pieces(row)
    log = Log(game, _create(row), is_over, secret, pieces, receipts_of(row))
    key = signer(settings.SIGNING_KEYS, log.create.key) or settings.SIGNING_KEYS[0]
    return writing.lines(log, viewer, key)


def receipts_of(game: Game) -> tuple[Receipt, ...] | None:
    """The receipts that a game came with; None if it was played here."""
    imported: Import | None = getattr(game, "imported", None)
    if imported is None:
        return None
    return tuple(Receipt(**receipt) for receipt in parsed(imported.receipts))


def _create(game: Game) -> Create:
    text = EntryRow.objects.values_list("text", flat=True).get(game=game, seq=1)
    create: Create = ACTIONS.from_json(parsed(text)["action"])
    return create


def _pieces_of_old(game: Game, secret: bytes) -> Iterator[Piece]:
    box = Box(box_key(secret, game.pk))
    return (writing.piece_of_old(row, box) for row in _rows(game))


def _pieces(game: Game) -> Iterator[Piece]:
    """Who may read what of a game that goes on, only its rules can say."""
    for row, table in zip(_rows(game), selectors.game_tables(game.pk), strict=False):
        yield writing.piece(row, table)
