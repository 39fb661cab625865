"""The verification of an exported game without a database; a finished game is replayed by its
rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.export_format import signed_seqs
from tabularium_log.audit.export_reader import Export, is_hex_key, read_export
from tabularium_log.audit.export_record import check_record
from tabularium_log.audit.replay_verifier import ReplayVerifier
from tabularium_log.audit.verdict import (
    Flaw,
    Verdict,
    bad_verdict,
    good_verdict,
    not_installed_verdict,
)
from tabularium_log.audit.verified_game import VerifiedGame, verified_game
from tabularium_log.fairness.committed_draws import commitment, field_salt
from tabularium_log.fairness.signed_hash_chain import Receipt, is_genuine, seal_hash
from tabularium_log.projection.entry import (
    DRAWS_POINTER,
    Entry,
    EntryPlace,
    action_pointer,
    seal_entry,
)
from tabularium_log.projection.projection import Projection


def verify_export(
    lines: Iterable[bytes],
    receipts: Sequence[Receipt] = (),
    key: str | None = None,
    is_signed: bool = True,
    record_key: str | None = None,
) -> Verdict:
    """The verdict on an export: its chain, seals, draws, rules, receipts and its proof from the
    record, and the receipts that a client has stored; `key` is the public key that must have signed
    it, and `record_key` the verifier key of the record that must have it."""
    game = "an export"
    try:
        export = read_export(lines)
        game = export.header.game
        verdict = _verify_entries(export)
        check_receipts(export, receipts, key, is_signed)
        check_record(export, record_key)
    except Flaw as flaw:
        return bad_verdict(game, flaw)
    return replace(verdict, is_signed=bool(export.receipts))


def _verify_entries(export: Export) -> Verdict:
    game, count = export.header.game, len(export.entries)
    if not export.is_over:
        _check_revealed_fields(export)
        return Verdict(game, count)
    try:
        for table in replay_export(export):
            last = table
    except RulesetNotInstalled as problem:
        _check_seals(export)
        return not_installed_verdict(game, f"{problem}.", count, is_over=True)
    return good_verdict(game, last)


def load_verified_game(lines: Iterable[bytes], is_signed: bool = True) -> VerifiedGame:
    """A finished game, ready to be stored here; raises Flaw if it is invalid, RulesetNotInstalled
    if its ruleset is not installed."""
    export = read_export(lines)
    if not export.is_over:
        sentence = "The game is not over: only its own server can continue it."
        raise Flaw(sentence, len(export.entries))
    check_receipts(export, (), None, is_signed)
    check_record(export)
    secret, rows = _revealed_secret(export), []
    for previous, table in zip(export.chain.hashes, replay_export(export), strict=False):
        place = EntryPlace(table.game, table.seq, previous, secret)
        rows.append(seal_entry(table.entry, place, tuple(table.field_readers)))
    return verified_game(table, secret, rows, export.receipts)


# -- a game that is over --------------------------------------------------------------------------


def replay_export(export: Export) -> Iterator[Projection]:
    """Replay the game: yields the projection after every entry, and raises Flaw at the first entry
    that cannot have happened."""
    replay = ReplayVerifier(export.header.game, _revealed_secret(export))
    for text, entry in zip(export.texts, _complete_entries(export), strict=True):
        yield replay.verify_entry(text, entry)


def _revealed_secret(export: Export) -> bytes:
    """The secret that the end reveals, checked against the commitment in entry 1."""
    text = export.entries[-1]["action"].get("secret")
    if not is_hex_key(text):
        raise Flaw("The end does not reveal the secret.", len(export.entries))
    secret = bytes.fromhex(text)
    if commitment(export.header.game, secret) != export.creation.get("commitment"):
        raise Flaw("The secret does not match the commitment in entry 1.", len(export.entries))
    return secret


def _complete_entries(export: Export) -> Iterator[Entry]:
    """The entries with their sealed fields, which are in the reveal."""
    for seq, entry in enumerate(export.entries, start=1):
        values = export.revealed_fields(seq)
        if values.keys() != entry["sealed"].keys():
            raise Flaw("The revealed fields are not the sealed fields of this entry.", seq)
        draws = _parse_draws(values[DRAWS_POINTER], seq) if DRAWS_POINTER in values else None
        yield Entry(
            entry["seat"], entry["at"], _complete_action(entry["action"], values, seq), draws
        )


def _complete_action(action: Json, values: Any, seq: int) -> Json:
    """An action with its sealed fields in their places."""
    if action_pointer("") in values:
        return values[action_pointer("")]
    fields = {path: value for path, value in values.items() if path != DRAWS_POINTER}
    names = {path: path.removeprefix(action_pointer("") + "/") for path in fields}
    if not isinstance(action, dict) or any(
        name == path or name in action for path, name in names.items()
    ):
        raise Flaw("The sealed fields do not belong in this action.", seq)
    return action | {names[path]: value for path, value in fields.items()}


def _parse_draws(draws: Json, seq: int) -> tuple[tuple[int, int], ...]:
    try:
        pairs = tuple((value, limit) for value, limit in draws)
    except (TypeError, ValueError):
        pairs = ((-1, -1),)
    if not all(type(n) is int and n >= 0 for pair in pairs for n in pair):
        raise Flaw("The draws are not pairs of numbers.", seq)
    return pairs


def _check_seals(export: Export) -> None:
    """Every revealed field must match its seal: all that can be checked without the rules."""
    secret = _revealed_secret(export)
    for seq, entry in enumerate(export.entries, start=1):
        values = export.revealed_fields(seq)
        salts = {path: field_salt(secret, export.header.game, seq, path) for path in values}
        if {path: seal_hash(salts[path], path, value) for path, value in values.items()} != entry[
            "sealed"
        ]:
            raise Flaw("The revealed fields do not match the seals of this entry.", seq)


# -- a running game -------------------------------------------------------------------------------


def _check_revealed_fields(export: Export) -> None:
    """Revealed fields must match their seals, and a running game must not reveal its draws."""
    for seq, entry in enumerate(export.entries, start=1):
        values, salts = export.revealed_fields(seq), export.salts_by_seq.get(str(seq), {})
        if values.keys() != salts.keys() or DRAWS_POINTER in values:
            raise Flaw(
                "The revealed salts do not match the revealed fields, or draws are revealed.", seq
            )
        for path, value in values.items():
            salt = bytes.fromhex(salts[path]) if is_hex_key(salts[path]) else b""
            if seal_hash(salt, path, value) != entry["sealed"].get(path):
                raise Flaw(f"{path} does not match its seal.", seq)


# -- receipts -------------------------------------------------------------------------------------


def check_receipts(
    export: Export, client_receipts: Sequence[Receipt], key: str | None, is_signed: bool
) -> None:
    """The trailer's receipts must be complete and genuine; `client_receipts` must fit the log."""
    if key not in (None, export.header.key):
        raise Flaw("The game was not signed with the given key.", None, 1)
    trailer_receipts = export.receipts
    if (trailer_receipts or is_signed) and [
        receipt.seq for receipt in trailer_receipts
    ] != signed_seqs(len(export.entries)):
        raise Flaw(
            "The receipts in the trailer are not the required ones.",
            None,
            _trailer_line_number(export),
        )
    _check_agreement([receipt for receipt in client_receipts if receipt.game == export.header.game])
    for receipt in trailer_receipts:
        _check_receipt(export, receipt)
    for receipt in client_receipts:
        if receipt.game == export.header.game:
            _check_receipt(export, receipt)


def _trailer_line_number(export: Export) -> int:
    """The line number of the trailer."""
    return 2 + len(export.entries) + export.reveal_line_count


def _check_agreement(receipts: Sequence[Receipt]) -> None:
    """Two genuine receipts that disagree on one entry convict the server without any log."""
    hashes_by_seq: dict[int, str] = {}
    for receipt in filter(is_genuine, receipts):
        if hashes_by_seq.setdefault(receipt.seq, receipt.hash) != receipt.hash:
            sentence = "Two receipts for this entry disagree: the server signed two versions."
            raise Flaw(sentence, receipt.seq)


def _check_receipt(export: Export, receipt: Receipt) -> None:
    hashes, seq = export.chain.hashes, receipt.seq
    if receipt.game != export.header.game:
        raise Flaw("A receipt is for another game.", seq, _trailer_line_number(export))
    if receipt.key != export.header.key:
        raise Flaw("A receipt is signed with another key.", seq)
    if not is_genuine(receipt):
        raise Flaw("A receipt has an invalid signature.", seq)
    if seq >= len(hashes) and export.is_over:
        raise Flaw("The server signed an entry after the end of this log.", seq)
    if 0 < seq < len(hashes) and receipt.hash != hashes[seq]:
        sentence = "The server signed another hash for this entry: the log was changed afterwards."
        raise Flaw(sentence, seq)
