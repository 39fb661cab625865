"""The quick verification of stored games, many at a time: it only ever says "good". A game of which
it does not say so is verified by the replay of `stored_game_verifier`, which names the flaw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from games.audit import stored_game_verifier, stored_rows
from games.audit.log_pass import LogPass, Row
from games.audit.stored_game_verifier import StoredGame
from games.secret_lookup import load_game_secret
from tabularium_log.audit.verdict import Verdict, good_verdict

BATCH: Final = 100  # games whose rows are read together


def verify_games(games: Sequence[str]) -> Iterator[Verdict]:
    """The verdict on each of these games, in order; raises UnknownGame."""
    remaining = iter(games)
    while batch := list(islice(remaining, BATCH)):
        good = {verdict.game: verdict for verdict in find_good(batch)}
        for game in batch:
            yield good.get(game) or stored_game_verifier.verify_game(game)


def find_good(games: Sequence[str]) -> Iterator[Verdict]:
    """The verdicts on those of the games that are good; of the others some may be good, too."""
    for stored, log, old_seq in stored_rows.read_rows(games):
        if len(log) == stored.game.seq >= old_seq:
            verdict = _verify(stored, log)
            if verdict is not None:
                yield verdict


def _verify(stored: StoredGame, log: list[Row]) -> Verdict | None:
    """The verdict, if it is good."""
    game = stored.game
    try:
        secret = load_game_secret(game.pk, bytes(game.secret))
        table, head = LogPass(game.pk, secret).replay(log)
        stored_game_verifier.check_rows(stored, table, head)
    except Exception:  # noqa: BLE001  # the replay names the flaw
        return None
    return good_verdict(game.pk, table)
