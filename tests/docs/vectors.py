"""The test vectors of docs/fairness.md, made by the service's own code; `python -m
tests.docs.vectors` writes them again."""

from __future__ import annotations

import json
import re
from hashlib import sha256, shake_256
from itertools import count
from typing import Any

from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.fairness.committed_draws import (
    FairRng,
    commitment,
    draw_key,
    field_salt,
    seed_hash,
)
from tabularium_log.fairness.signed_hash_chain import entry_hash, seal_hash, sign_receipt
from tabularium_log.projection.entry import Entry, EntryPlace, public_text, sealed_fields
from tests.docs.record_vectors import of_the_record, recorded
from tests.docs.short_game import AT, GAME, SECRET, SEED, SIGNING_KEY, export
from tests.docs.verifier import DOCS

PAGE = DOCS / "fairness.md"
FILE = DOCS / "fairness-vectors.json"
BLOCK = re.compile(r"<!-- vectors: (\w+) -->\n```json\n(.*?)\n```", re.DOTALL)

SEEDS = [SEED.hex(), None]
DRAWN = 2**52 + 1  # a limit that rejects one word in 4,096
TEXTS = ("", "♠ 10", '"\\/', "\b\t\n\f\r\x00\x1f\x7f", "𝄞 é ﬁ")
DOCUMENTS: tuple[Any, ...] = (
    *({"text": text} for text in TEXTS),
    {"b": [], "a": {}, "B": None, "10": True, "9": False},
    [0, -1, 2**53 - 1, 1 - 2**53],
)


def vectors() -> dict[str, Any]:
    """All vectors, by the part of the page that they belong to."""
    return {
        "canonical": [{"document": it, "text": encode_canonical(it)} for it in DOCUMENTS],
        "secret": of_the_secret(),
        "draws": [of_draws(seq) for seq in (7, unfair_seq())],
        "entry": of_an_entry(),
        "seal": of_a_seal(),
        "receipt": of_a_receipt(),
        "export": export(),
        "record": of_the_record(),
        "recorded": recorded(),
    }


def key() -> bytes:
    """The draw key `K`."""
    return draw_key(SECRET, GAME, tuple(SEEDS))


def of_the_secret() -> dict[str, Any]:
    """Part 2, without draws."""
    return {
        "game": GAME,
        "S": SECRET.hex(),
        "commitment": commitment(GAME, SECRET),
        "seed": SEED.hex(),
        "hash of the seed": seed_hash(SEED),
        "seeds": SEEDS,
        "K": key().hex(),
        "salt of /draws in entry 7": field_salt(SECRET, GAME, 7, "/draws").hex(),
    }


def stream(seq: int, length: int) -> bytes:
    """The first bytes of an entry's random stream."""
    start = b"tabularium/draw/1" + key() + GAME.encode() + seq.to_bytes(8, "big")
    return shake_256(start).digest(length)


def unfair_seq() -> int:
    """The seq of the first entry whose first word is rejected below DRAWN."""
    fair = 2**64 - 2**64 % DRAWN
    return next(seq for seq in count(1) if int.from_bytes(stream(seq, 8), "big") >= fair)


def of_draws(seq: int) -> dict[str, Any]:
    """The first draws of an entry."""
    limits = [DRAWN, 52, 6, 1, 2**53 - 1]
    rng = FairRng(key(), GAME, seq)
    draws = [[int(rng.below(limit)), limit] for limit in limits]
    return {"seq": seq, "stream begins": stream(seq, 24).hex(), "draws": draws}


def an_entry() -> tuple[Entry, EntryPlace]:
    """An action with a sealed field."""
    action = {"type": "some_game.vote", "suit": "hearts", "loud": True}
    return Entry(0, AT, action, ((3, 6),)), EntryPlace(
        GAME, 7, sha256(b"entry 6").hexdigest(), SECRET
    )


def of_an_entry() -> dict[str, Any]:
    """Part 3."""
    entry, place = an_entry()
    text = public_text(entry, place, ["/action/suit"])
    return {"text": text, "hash": entry_hash(text)}


def of_a_seal() -> dict[str, Any]:
    """Part 4."""
    entry, place = an_entry()
    salt = field_salt(SECRET, GAME, place.seq, "/action/suit")
    value = sealed_fields(entry, ["/action/suit"])["/action/suit"]
    sealed = seal_hash(salt, "/action/suit", value)
    return {"salt": salt.hex(), "path": "/action/suit", "value": value, "seal": sealed}


def of_a_receipt() -> dict[str, Any]:
    """Part 7."""
    signed = sign_receipt(SIGNING_KEY, GAME, 7, of_an_entry()["hash"])
    return {"secret key": SIGNING_KEY.hex(), "receipt": vars(signed)}


def formatted(part: Any) -> str:
    """Vectors formatted as on the page."""
    return json.dumps(part, indent=2, ensure_ascii=False)


def main() -> None:
    """Write the file and the blocks of the page."""
    tables = vectors()
    FILE.write_text(formatted(tables) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    for name, old in BLOCK.findall(page):
        page = page.replace(f"<!-- vectors: {name} -->\n```json\n{old}\n```", block(name, tables))
    PAGE.write_text(page, encoding="utf-8")


def block(name: str, tables: dict[str, Any]) -> str:
    """A block of the page."""
    return f"<!-- vectors: {name} -->\n```json\n{formatted(tables[name])}\n```"


if __name__ == "__main__":
    main()
