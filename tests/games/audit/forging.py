"""What a server could do that knows every secret: alter an entry and make all that follows fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.audit.export_format import signed_seqs
from games.fairness import hash_chain, receipts
from games.fairness import secret as secrets
from games.fairness.canonical_json import decode_canonical, encode_canonical
from games.fairness.receipts import Receipt
from tests.games.audit.making import SIGNING_KEY, Making

Change = Callable[[list[Any], dict[str, Any]], None]


def forged(making: Making, change: Change, key: bytes | None = SIGNING_KEY) -> list[bytes]:
    """The export after a change to its entries and to the fields that the reveal tells, with all
    seals and hashes made again; signed with that key, or (None) with the receipts as they were."""
    lines = [decode_canonical(line.decode()[:-1]) for line in making.lines("everything")]
    header, entries, reveal, trailer = lines[0], lines[1:-2], lines[-2], lines[-1]["trailer"]
    fields = reveal["reveal"]["fields"]
    change(entries, fields)
    hashes = chained(entries, fields, making.plan.secret)
    trailer["count"], trailer["head"] = len(entries), hashes[-1]
    if key is not None:
        header["key"] = receipts.public_key(key)
        signed = [
            receipts.sign_receipt(key, making.plan.game, seq, hashes[seq - 1])
            for seq in signed_seqs(len(entries))
        ]
        trailer["receipts"] = [vars(receipt) for receipt in signed]
    documents = [header, *entries, reveal, {"trailer": trailer}]
    return [encode_canonical(document).encode() + b"\n" for document in documents]


def chained(entries: Sequence[Any], fields: dict[str, Any], secret: bytes) -> list[str]:
    """The hashes of entries of which each now names the one before, and seals what is told."""
    hashes = [hash_chain.GENESIS_HASH]
    for seq, entry in enumerate(entries, start=1):
        entry["seq"], entry["prev"] = seq, hashes[-1]
        for path, value in fields.get(str(seq), {}).items():
            salt = secrets.field_salt(secret, entry["game"], seq, path)
            entry["sealed"][path] = hash_chain.seal_hash(salt, path, value)
        hashes.append(hash_chain.entry_hash(encode_canonical(entry)))
    return hashes[1:]


def of_another_version(making: Making) -> list[bytes]:
    """The export of a game that says that it was played by other rules, and is signed."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entries[0]["action"]["version"] = 99

    lines = forged(making, change)
    return [lines[0].replace(b'"version":1', b'"version":99'), *lines[1:]]


def receipt(making: Making, seq: int) -> Receipt:
    """What the server said of an entry while the game was on."""
    return receipts.sign_receipt(SIGNING_KEY, making.plan.game, seq, making.rows[seq - 1].hash)


def first_of(making: Making, kind: str) -> int:
    """The number of the first entry of a kind; "" stands for the game's own actions."""
    slug = making.plan.engine.about.slug
    wanted = f"table.{kind}" if kind else f"{slug}."
    return next(
        row.seq
        for row, table in zip(making.rows, making.tables, strict=True)
        if table.entry.action["type"].startswith(wanted)
    )
