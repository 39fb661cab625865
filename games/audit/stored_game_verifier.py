"""The verification of a stored game: its log by chain, draws and rules, and its rows by its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from django.db.models import Q

from games import selectors
from games.log_reader import entry_hashes, has_entries_after
from games.log_store import LogHead, read_entries
from games.models import Game, Player
from games.position_cache import UnknownGame
from games.secret_lookup import GameUnlockError, load_game_secret
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.replay_verifier import ChainFollower, ReplayVerifier
from tabularium_log.audit.verdict import (
    Flaw,
    Verdict,
    bad_verdict,
    good_verdict,
    locked_verdict,
    not_installed_verdict,
)
from tabularium_log.fairness.encryption import GameCipher, game_cipher
from tabularium_log.projection.entry import Entry, StoredEntry, decrypt_entry
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Origin

MAX_READ_ATTEMPTS: Final = 100  # to read a game while no entry is appended


class StoredGame(NamedTuple):
    """The rows of a game besides its log, all from the same moment."""

    game: Game
    players: dict[int, str]  # the bot of each seat, "" for an account
    has_entries_after_head: bool


def game_ids(leaf: int | None = None) -> list[str]:
    """The ids of all games, oldest first, or of those that entered the public record with this leaf
    or later, or are not in it yet."""
    games = Game.objects.order_by("pk")
    if leaf is not None:
        games = games.filter(Q(leaf=None) | Q(leaf__gte=leaf))
    return list(games.values_list("pk", flat=True))


def verify_game(game: str) -> Verdict:
    """The verdict on a game: its chain, seals, draws and rules, and the rows next to its log."""
    stored = _read_stored_game(game)
    try:
        table, head = _replay_log(stored)
        check_rows(stored, table, head)
    except GameUnlockError as problem:
        return locked_verdict(game, f"{problem}.")
    except Flaw as flaw:
        return bad_verdict(game, flaw)
    except RulesetNotInstalled as problem:
        return _verify_without_rules(stored, problem)
    return good_verdict(game, table)


def _read_stored_game(game: str) -> StoredGame:
    for _ in range(MAX_READ_ATTEMPTS):
        row = read_game_row(game)
        players = dict(Player.objects.filter(game=game).values_list("seat", "bot"))
        has_more = has_entries_after(game, row.seq)
        if Game.objects.filter(pk=game, seq=row.seq).exists():
            break
    return StoredGame(row, players, has_more)


def read_game_row(game: str) -> Game:
    """The row of a game; raises UnknownGame."""
    row = Game.objects.select_related("imported").filter(pk=game).first()
    if row is None:
        raise UnknownGame(game)
    return row


def _replay_log(stored: StoredGame) -> tuple[Projection, str]:
    """The projection that the log leads to, and the hash of its last entry."""
    game = stored.game
    secret = load_game_secret(game.pk, bytes(game.secret))
    replay = replay_rows(game.pk, secret, read_log(game))
    _check_head(stored, replay.chain)
    if replay.projection is None:
        raise Flaw("The entry is missing.", 1)
    return replay.projection, replay.chain.head


def replay_rows(game: str, secret: bytes, rows: Iterable[StoredEntry]) -> ReplayVerifier:
    """The replay of these entries of a game; raises Flaw."""
    replay, cipher = ReplayVerifier(game, secret), game_cipher(secret, game)
    for row in rows:
        replay.verify_entry(row.text, _decrypt_entry(cipher, row))
        _check_hash(row, replay.chain)
    return replay


def _decrypt_entry(cipher: GameCipher, row: StoredEntry) -> Entry:
    try:
        return decrypt_entry(cipher, row)
    except (ValueError, TypeError) as problem:  # UnlockError, or its content has another form
        raise Flaw("The sealed fields cannot be decrypted.", row.seq) from problem


def check_rows(stored: StoredGame, table: Projection, head: str) -> None:
    """The rows next to the log must hold the values that follow from it."""
    create = table.creation
    expected: dict[str, Any] = LogHead(head, table).columns() | {
        "rules": create.rules,
        "version": create.version,
        "seats": create.seats,
        "rated": create.rated,
    }
    for name, value in expected.items():
        if getattr(stored.game, name) != value:
            actual = getattr(stored.game, name)
            raise Flaw(f"In the game's row {name} is {actual}, but by its log it is {value}.")
    players = {
        seat: occupant.bot or ""
        for seat, occupant in enumerate(table.occupants)
        if occupant is not None
    }
    if stored.players != players:
        raise Flaw("The players' rows do not match the seats in the log.")
    if create.origin is not None:
        _check_origin(create.origin)


def _check_origin(origin: Origin) -> None:
    """The game from which this was forked, if it is here, must have that entry."""
    hashes = entry_hashes(origin.game, [origin.seq])
    if hashes.get(origin.seq) != origin.hash and _game_exists(origin.game):
        raise Flaw("The game from which this was forked has no such entry.", 1)


def _game_exists(game: str) -> bool:
    return Game.objects.filter(pk=game).exists()


def _verify_without_rules(stored: StoredGame, problem: RulesetNotInstalled) -> Verdict:
    """The verdict on a game whose chain can be checked, but not its rules."""
    game, chain = stored.game, ChainFollower(stored.game.pk)
    try:
        for row in read_log(game):
            chain.add_text(row.text)
            _check_hash(row, chain)
        _check_head(stored, chain)
    except Flaw as flaw:
        return bad_verdict(game.pk, flaw)
    package = selectors.package_of(problem.ruleset)
    sentence = f"{problem}" + (f" (package {package})." if package else ".")
    is_over = game.phase == Game.Phase.OVER
    return not_installed_verdict(game.pk, sentence, chain.seq, is_over=is_over)


def _check_hash(row: StoredEntry, chain: ChainFollower) -> None:
    if row.hash != chain.head:
        raise Flaw("The hash stored with the entry is not its hash.", row.seq)


def _check_head(stored: StoredGame, chain: ChainFollower) -> None:
    """The log must end where the row of its game says."""
    if chain.seq != stored.game.seq:
        raise Flaw("The entry is missing.", chain.seq + 1)
    if stored.has_entries_after_head:
        raise Flaw("There are entries after the head of the log.", stored.game.seq + 1)


def read_log(game: Game) -> Iterator[StoredEntry]:
    """The entries of a game up to its head, as they are stored."""
    return read_entries(game.pk, 0, game.seq)
