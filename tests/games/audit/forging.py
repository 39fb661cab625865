"""Forged exports: a server that knows every secret alters an entry and recomputes all that
follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tabularium_log.audit.export_format import keyed_by_seq, reveal_ranges, signed_seqs
from tabularium_log.fairness.canonical_json import decode_canonical, encode_canonical
from tabularium_log.fairness.committed_draws import field_salt
from tabularium_log.fairness.signed_hash_chain import (
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
    documents = [decode_canonical(line.decode()[:-1]) for line in builder.lines("everything")]
    header, trailer = documents[0], documents[-1]["trailer"]
    entries = [document for document in documents if "seq" in document]
    reveals = [document["reveal"] for document in documents if "reveal" in document]
    fields = {seq: values for reveal in reveals for seq, values in reveal["fields"].items()}
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
    forgery = [header, *entries, *reveal_lines(fields, len(entries)), {"trailer": trailer}]
    return [encode_canonical(document).encode() + b"\n" for document in forgery]


def reveal_lines(fields: dict[str, Any], count: int) -> list[Any]:
    """The lines of the reveal of a game that is over."""
    parts = [
        keyed_by_seq((seq, fields.get(str(seq), {})) for seq in seqs)
        for seqs in reveal_ranges(count)
    ]
    return [{"reveal": {"fields": part, "salts": None}} for part in parts]


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
