"""Forged exports: a server that knows every secret alters an entry and recomputes all that
follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.audit.export_format import signed_seqs
from games.fairness.canonical_json import decode_canonical, encode_canonical
from games.fairness.committed_draws import field_salt
from games.fairness.signed_hash_chain import (
    GENESIS_HASH,
    Receipt,
    entry_hash,
    public_key,
    seal_hash,
    sign_receipt,
)
from tests.games.audit.making import SIGNING_KEY, GameBuilder

Change = Callable[[list[Any], dict[str, Any]], None]


def forged(builder: GameBuilder, change: Change, key: bytes | None = SIGNING_KEY) -> list[bytes]:
    """The export after a change to its entries and to the revealed fields, with all seals and
    hashes recomputed; signed with `key`, or with the original receipts if `key` is None."""
    lines = [decode_canonical(line.decode()[:-1]) for line in builder.lines("everything")]
    header, entries, reveal, trailer = lines[0], lines[1:-2], lines[-2], lines[-1]["trailer"]
    fields = reveal["reveal"]["fields"]
    change(entries, fields)
    hashes = relink_entries(entries, fields, builder.plan.secret)
    trailer["count"], trailer["head"] = len(entries), hashes[-1]
    if key is not None:
        header["key"] = public_key(key)
        signed = [
            sign_receipt(key, builder.plan.game, seq, hashes[seq - 1])
            for seq in signed_seqs(len(entries))
        ]
        trailer["receipts"] = [vars(receipt) for receipt in signed]
    documents = [header, *entries, reveal, {"trailer": trailer}]
    return [encode_canonical(document).encode() + b"\n" for document in documents]


def relink_entries(entries: Sequence[Any], fields: dict[str, Any], secret: bytes) -> list[str]:
    """Link the entries again and reseal the revealed fields; the hashes of the entries."""
    hashes = [GENESIS_HASH]
    for seq, entry in enumerate(entries, start=1):
        entry["seq"], entry["prev"] = seq, hashes[-1]
        for path, value in fields.get(str(seq), {}).items():
            salt = field_salt(secret, entry["game"], seq, path)
            entry["sealed"][path] = seal_hash(salt, path, value)
        hashes.append(entry_hash(encode_canonical(entry)))
    return hashes[1:]


def of_another_version(builder: GameBuilder) -> list[bytes]:
    """A signed export of a game that claims another version of its rules."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entries[0]["action"]["version"] = 99

    lines = forged(builder, change)
    return [re.sub(rb'"version":\d+', b'"version":99', lines[0], count=1), *lines[1:]]


def receipt(builder: GameBuilder, seq: int) -> Receipt:
    """The receipt that the server gave for an entry during the game."""
    return sign_receipt(SIGNING_KEY, builder.plan.game, seq, builder.rows[seq - 1].hash)


def first_of(builder: GameBuilder, kind: str) -> int:
    """The seq of the first entry of a kind; "" stands for the game's own actions."""
    slug = builder.plan.engine.about.slug
    prefix = f"table.{kind}" if kind else f"{slug}."
    return next(
        row.seq
        for row, table in zip(builder.rows, builder.tables, strict=True)
        if table.entry.action["type"].startswith(prefix)
    )
