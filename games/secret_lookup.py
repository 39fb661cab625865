"""The lookup of a game's secret: decrypted with the sealing keys of this server or, once the game
is over, read from the end of its log, which makes it public."""

from __future__ import annotations

from django.conf import settings

from games.log_reader import read_actions
from tabularium_log.fairness.encryption import UnlockError, unlock_secret


class GameUnlockError(UnlockError):
    """A running game whose secret no sealing key of this server opens."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} cannot be decrypted: no sealing key of this server fits")


def load_game_secret(game: str, ciphertext: bytes) -> bytes:
    """The secret of a game, given the ciphertext of its row; raises GameUnlockError if neither a
    sealing key nor the log gives it."""
    try:
        return unlock_secret(settings.SEALING_KEYS, game, ciphertext)
    except UnlockError as problem:
        secret = _read_revealed_secret(game)
        if secret is None:
            raise GameUnlockError(game) from problem
        return secret


def _read_revealed_secret(game: str) -> bytes | None:
    """The secret that the last entry reveals, if that is the end."""
    last = next(read_actions(game, newest_first=True), None)
    action = last.action if last else None
    return bytes.fromhex(action["secret"]) if action and "secret" in action else None
