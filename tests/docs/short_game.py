"""The short game of the test vectors of docs/fairness.md, with its secrets."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from games.audit.export_writer import ExportEntry, ExportSource, write_export
from tabularium_log.audit.export_format import Record
from tabularium_log.fairness.committed_draws import commitment, seed_hash
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, entry_hash, public_key
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import Entry, EntryPlace, OldBox, StoredEntry, public_text

GAME: Final = "game_019f0000000070008000000000000001"
SECRET: Final = sha256(b"a secret for the vectors").digest()
SEED: Final = sha256(b"a seed for the vectors").digest()
SIGNING_KEY: Final = sha256(b"a signing key for the vectors").digest()
AT: Final = "2026-01-02T03:04:05.678Z"


def export(record: Record | None = None, at: str = AT) -> list[str]:
    """The lines of a short game: two seats join, one opens a seed, and the game is called off."""
    promise = commitment(GAME, SECRET)
    public = public_key(SIGNING_KEY)
    create = table_actions.Create("some_game", 1, "ab" * 32, 2, {}, promise, public)
    actions: list[tuple[int | None, Any]] = [
        (None, create),
        (0, table_actions.Join(seed_hash=seed_hash(SEED))),
        (1, table_actions.Join("greedy")),
        (0, table_actions.OpenSeed(SEED.hex())),
        (1, table_actions.Leave()),
        (None, table_actions.End(SECRET.hex())),
    ]
    rows: list[StoredEntry] = []
    for seq, (seat, action) in enumerate(actions, start=1):
        previous = rows[-1].hash if rows else GENESIS_HASH
        entry = Entry(seat, at, table_actions.TABLE_ACTION_CODEC.to_json(action))
        text = public_text(entry, EntryPlace(GAME, seq, previous, SECRET), [])
        rows.append(StoredEntry(seq, text, entry_hash(text), OldBox(seq, b"")))
    entries = [ExportEntry(row, {}, {}) for row in rows]
    log = ExportSource(GAME, create, True, False, SECRET, entries, record=record)
    return list(write_export(log, "onlooker", SIGNING_KEY))
