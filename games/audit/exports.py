"""Is an exported game what it says? Checked by the rules if it is over, without any database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from games.audit.carrying import Carried, carried_of
from games.audit.format import signed_at
from games.audit.reading import Export, read
from games.audit.replay import Replay
from games.audit.verdict import Flaw, Verdict, bad, good
from games.engines.common.codec import Json
from games.fairness import chain
from games.fairness import secret as secrets
from games.fairness.receipts import Receipt, is_genuine
from games.registry import UnknownRules
from games.table.entry import DRAWS, Entry, Place, pointer, row
from games.table.table import Table

HEX: Final = frozenset("0123456789abcdef")


def verified(
    lines: Iterable[bytes],
    kept: Sequence[Receipt] = (),
    key: str | None = None,
    is_signed: bool = True,
) -> Verdict:
    """What is to be said of an export: of its chain, its seals, its chance, its rules and its
    receipts, and of those that somebody `kept`; `key` is the key with which it must be signed."""
    game = "an export"
    try:
        export = read(lines)
        game = export.header.game
        verdict = _of_entries(export)
        check_receipts(export, kept, key, is_signed)
    except Flaw as flaw:
        return bad(game, flaw)
    except UnknownRules as unknown:
        return bad(game, Flaw(f"{unknown}.", 1), has_rules=False)
    return verdict


def _of_entries(export: Export) -> Verdict:
    if not export.is_over:
        _check_openings(export)
        return Verdict(export.header.game, len(export.entries), is_signed=bool(export.receipts))
    for table in replayed(export):
        last = table
    return replace(good(export.header.game, last), is_signed=bool(export.receipts))


def carried(lines: Iterable[bytes], is_signed: bool = True) -> Carried:
    """A game that is over, ready to be kept here; Flaw if it is not good, UnknownRules if its
    rules are not here."""
    export = read(lines)
    if not export.is_over:
        sentence = "The game is not over: only its own server can go on with it."
        raise Flaw(sentence, len(export.entries))
    check_receipts(export, (), None, is_signed)
    secret, rows = _secret(export), []
    for previous, table in zip(export.links.hashes, replayed(export), strict=False):
        place = Place(table.game, table.seq, previous, secret)
        rows.append(row(table.entry, place, tuple(table.readers)))
    return carried_of(table, secret, rows, export.receipts)


# -- a game that is over --------------------------------------------------------------------------


def replayed(export: Export) -> Iterator[Table]:
    """The game once more, after every entry; Flaw at the first that cannot have happened."""
    replay = Replay(export.header.game, _secret(export))
    for text, entry in zip(export.texts, _complete(export), strict=True):
        yield replay.follow(text, entry)


def _secret(export: Export) -> bytes:
    """What the end tells, if it is what the beginning has promised."""
    told = export.entries[-1]["action"].get("secret")
    if not is_hex(told):
        raise Flaw("The end tells no secret.", len(export.entries))
    secret = bytes.fromhex(told)
    if secrets.commitment(export.header.game, secret) != export.create.get("commitment"):
        raise Flaw("This is not the secret that entry 1 is committed to.", len(export.entries))
    return secret


def is_hex(text: Any) -> bool:
    """Are these 32 bytes, in hex?"""
    return isinstance(text, str) and len(text) == 2 * secrets.LENGTH and set(text) <= HEX


def _complete(export: Export) -> Iterator[Entry]:
    """The entries with what is sealed in them, which the reveal tells."""
    for seq, entry in enumerate(export.entries, start=1):
        told = export.told(seq)
        if told.keys() != entry["sealed"].keys():
            raise Flaw("The reveal tells other fields than are sealed here.", seq)
        draws = _pairs(told[DRAWS], seq) if DRAWS in told else None
        yield Entry(entry["seat"], entry["at"], _whole(entry["action"], told, seq), draws)


def _whole(action: Json, told: Any, seq: int) -> Json:
    """An action with its sealed fields in their places."""
    if pointer("") in told:
        return told[pointer("")]
    fields = {path: value for path, value in told.items() if path != DRAWS}
    names = {path: path.removeprefix(pointer("") + "/") for path in fields}
    if not isinstance(action, dict) or any(
        name == path or name in action for path, name in names.items()
    ):
        raise Flaw("The sealed fields have no place in this action.", seq)
    return action | {names[path]: value for path, value in fields.items()}


def _pairs(draws: Json, seq: int) -> tuple[tuple[int, int], ...]:
    try:
        pairs = tuple((value, limit) for value, limit in draws)
    except (TypeError, ValueError):
        pairs = ((-1, -1),)
    if not all(type(n) is int and n >= 0 for pair in pairs for n in pair):
        raise Flaw("The draws are no pairs of numbers.", seq)
    return pairs


# -- a game that goes on --------------------------------------------------------------------------


def _check_openings(export: Export) -> None:
    """What is told must be what was sealed, and may not be more than a game can tell yet."""
    for seq, entry in enumerate(export.entries, start=1):
        told, salts = export.told(seq), export.salts.get(str(seq), {})
        if told.keys() != salts.keys() or DRAWS in told:
            raise Flaw("Another set of salts is told than of fields, or draws are.", seq)
        for path, value in told.items():
            salt = bytes.fromhex(salts[path]) if is_hex(salts[path]) else b""
            if chain.seal(salt, path, value) != entry["sealed"].get(path):
                raise Flaw(f"{path} is not what was sealed.", seq)


# -- receipts -------------------------------------------------------------------------------------


def check_receipts(
    export: Export, kept: Sequence[Receipt], key: str | None, is_signed: bool
) -> None:
    """The receipts of the trailer must be all there and genuine; `kept` ones must fit the log."""
    if key not in (None, export.header.key):
        raise Flaw("The game was signed with another key than the one asked for.", None, 1)
    own = export.receipts
    if (own or is_signed) and [receipt.seq for receipt in own] != signed_at(len(export.entries)):
        raise Flaw("The receipts in the trailer are not those that are due.", None, _last(export))
    _check_agreement([receipt for receipt in kept if receipt.game == export.header.game])
    for receipt in own:
        _check_receipt(export, receipt)
    for receipt in kept:
        if receipt.game == export.header.game:
            _check_receipt(export, receipt)


def _last(export: Export) -> int:
    """The line of the trailer."""
    return 2 + len(export.entries) + export.reveals


def _check_agreement(kept: Sequence[Receipt]) -> None:
    """Two genuine receipts for one entry convict the server without any log."""
    known: dict[int, str] = {}
    for receipt in filter(is_genuine, kept):
        if known.setdefault(receipt.seq, receipt.hash) != receipt.hash:
            sentence = "Two receipts for this entry disagree: the server has told two stories."
            raise Flaw(sentence, receipt.seq)


def _check_receipt(export: Export, receipt: Receipt) -> None:
    hashes, seq = export.links.hashes, receipt.seq
    if receipt.game != export.header.game:
        raise Flaw("A receipt is for another game.", seq, _last(export))
    if receipt.key != export.header.key:
        raise Flaw("A receipt is signed with another key.", seq)
    if not is_genuine(receipt):
        raise Flaw("A receipt has a false signature.", seq)
    if seq >= len(hashes) and export.is_over:
        raise Flaw("The server has signed an entry after the end of this log.", seq)
    if 0 < seq < len(hashes) and receipt.hash != hashes[seq]:
        sentence = "The server signed another hash for this entry: the log was changed afterwards."
        raise Flaw(sentence, seq)
