"""The leaves of finished games: `game/1` of a public one, and `blind/1` of any other.

All of a `game/1` leaf follows from the log, so a verifier makes it from an export. A blinded leaf
also needs the game's secret, which is public to those who may read the finished game: they can
prove it, while other readers of the record cannot test a guess.
"""

from __future__ import annotations

import hmac
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Final

from tabularium_log.audit.export_reader import Export, is_hex_key
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.fairness.committed_draws import commitment
from tabularium_log.record.errors import MalformedError, UnverifiedError

GAME_LEAF: Final = "game/1"
BLIND_LEAF: Final = "blind/1"
BLINDING_LABEL: Final = "tabularium/blind/1"
LEAF_BYTES_LIMIT: Final = 1024
FACTS: Final = {"at": str, "key": str, "rules": str, "version": int}  # by entries of an export


@dataclass(frozen=True)
class GameLeaf:
    """The facts of a game's log that its leaf states."""

    at: str  # of the last entry
    entries: int
    game: str
    hash: str  # of the last entry, and so of the whole log
    key: str  # of the server that played it, as the first entry says
    rules: str
    version: int

    @property
    def text(self) -> str:
        """The leaf of a public game."""
        return leaf_text(GAME_LEAF, asdict(self))

    def blinded(self, secret: bytes) -> str:
        """The leaf of a game that is not public."""
        label = encode_canonical([BLINDING_LABEL, self.game]).encode()
        key = hmac.digest(secret, label, sha256)
        return leaf_text(BLIND_LEAF, {"blind": hmac.digest(key, self.text.encode(), sha256).hex()})


def leaf_text(kind: str, members: dict[str, str | int]) -> str:
    """The canonical text of a leaf."""
    text = encode_canonical({**members, "leaf": kind})
    if len(text.encode()) > LEAF_BYTES_LIMIT:
        raise MalformedError(f"The leaf {kind} has more than {LEAF_BYTES_LIMIT} bytes.")
    return text


def exported_game(export: Export) -> GameLeaf:
    """The facts of an exported game that is over."""
    if not export.is_over or export.trailer is None:
        raise MalformedError(f"The game {export.header.game} is not over: it has no leaf yet.")
    facts = GameLeaf(
        at=export.entries[-1].get("at"),
        entries=len(export.entries),
        game=export.header.game,
        hash=export.trailer.head,
        key=export.creation.get("key"),
        rules=export.creation.get("rules"),
        version=export.creation.get("version"),
    )
    for name, kind in FACTS.items():
        if type(getattr(facts, name)) is not kind:
            raise MalformedError(f"The log of {facts.game} does not state {name!r} as it has to.")
    return facts


def exported_secret(export: Export) -> bytes:
    """The secret that the last entry of an exported game reveals, as the first one committed it."""
    text = export.entries[-1]["action"].get("secret")
    if not is_hex_key(text):
        raise MalformedError(f"The log of {export.header.game} does not reveal its secret.")
    secret = bytes.fromhex(text)
    if commitment(export.header.game, secret) != export.creation.get("commitment"):
        raise UnverifiedError("The secret does not match the commitment in entry 1.")
    return secret
