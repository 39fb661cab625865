"""The rows of stored games, read for many games at a time, and their digest."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from games import log_store, old_log
from games.audit.log_pass import Row
from games.audit.stored_game_verifier import StoredGame
from games.models import Game, Player

READ_AT_ONCE: Final = 5_000  # entries; a longer game is read alone
# the columns of a game's row that a verification reads
GAME_COLUMNS: Final = (
    *("id", "rules", "version", "seats", "secret"),
    *(*log_store.HEAD_COLUMNS, "rated"),
)
EQUAL_FOR_EQUAL: Final = 2  # the version of marshal that writes equal values as equal bytes
Log: TypeAlias = list[Row]


class GameRows(NamedTuple):
    """All rows of a game that a verification reads."""

    stored: StoredGame
    log: Log
    old_seq: int  # the last entry in the old table, 0 if none is there

    @property
    def digest(self) -> bytes:
        """SHA-256 of all that stands in these rows."""
        game, players = self.stored.game, sorted(self.stored.players.items())
        values: list[Any] = [getattr(game, name) for name in GAME_COLUMNS]
        beside = [
            bytes(value) if name == "secret" else str(value)
            for name, value in zip(GAME_COLUMNS, values, strict=True)
        ]
        rows = (beside, players, self.old_seq, list(map(tuple, self.log)))
        return sha256(marshal.dumps(rows, EQUAL_FOR_EQUAL)).digest()


def read_rows(games: Sequence[str]) -> Iterator[GameRows]:
    """The rows of those of the games that exist. A game that moves on meanwhile has more entries
    than its row says."""
    stored = _read_stored(games)
    old_seqs = old_log.last_seqs(list(stored))
    for part in _parts(list(stored.values())):
        logs = _read_logs([each.game.pk for each in part], old_seqs)
        for each in part:
            game = each.game.pk
            yield GameRows(each, logs.get(game, []), old_seqs.get(game, 0))


def digest_rows(games: Sequence[str]) -> tuple[str, int]:
    """SHA-256 of all rows of these games, in their order, and the number of their entries."""
    content, entries = sha256(), 0
    for rows in read_rows(games):
        content.update(rows.digest)
        entries += len(rows.log)
    return content.hexdigest(), entries


def _read_stored(games: Sequence[str]) -> dict[str, StoredGame]:
    """The rows of games besides their logs, in the order of the games."""
    found = Game.objects.in_bulk(games)
    players: dict[str, dict[int, str]] = {game: {} for game in found}
    for game, seat, bot in Player.objects.filter(game__in=found).values_list("game", "seat", "bot"):
        players[game][seat] = bot
    return {
        game: StoredGame(found[game], players[game], has_entries_after_head=False)
        for game in games
        if game in found
    }


def _parts(games: Sequence[StoredGame]) -> Iterator[list[StoredGame]]:
    """The games in groups that are read at once."""
    part: list[StoredGame] = []
    for each in games:
        if part and sum(other.game.seq for other in part) + each.game.seq > READ_AT_ONCE:
            yield part
            part = []
        part.append(each)
    if part:
        yield part


def _read_logs(games: Sequence[str], old_seqs: dict[str, int]) -> dict[str, Log]:
    """The whole logs of these games, each from the table where it is."""
    logs = _by_game(log_store.read_logs(games))
    unmoved = [game for game in games if game in old_seqs and game not in logs]
    return logs | _by_game(old_log.read_logs(unmoved))


def _by_game(rows: Sequence[Row]) -> dict[str, Log]:
    return {game: list(log) for game, log in groupby(rows, itemgetter(0))}
