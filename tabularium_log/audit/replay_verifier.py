"""The verification of a log by replay: every entry is replayed by the rules and the fair draws and
written again; the result must equal the stored text byte for byte."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.verdict import Flaw
from tabularium_log.fairness.canonical_json import (
    NotCanonicalError,
    decode_canonical,
    encode_canonical,
)
from tabularium_log.fairness.committed_draws import FairRng, draw_key
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, entry_hash
from tabularium_log.projection.entry import Entry, EntryPlace, public_text
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_entry
from tabularium_log.projection.projection import Projection

GAME_ID_PATTERN: Final = re.compile(r"game_[0-9a-f]{32}")
TIME_PATTERN: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
ENTRY_MEMBERS: Final = frozenset(("action", "at", "game", "prev", "sealed", "seat", "seq"))


class ChainFollower:
    """Follows the hash chain alone, over the public texts of the entries."""

    def __init__(self, game: str) -> None:
        if not GAME_ID_PATTERN.fullmatch(game):
            raise Flaw("The game id is malformed.")
        self.game = game
        self.hashes = [GENESIS_HASH]  # by seq
        self._last_time = ""

    @property
    def seq(self) -> int:
        """The seq of the last entry."""
        return len(self.hashes) - 1

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self.hashes[-1]

    def add_text(self, text: str) -> Json:
        """Add the text of the next entry and return its public part; raises Flaw."""
        seq = self.seq + 1
        try:
            entry = decode_canonical(text)
        except NotCanonicalError as problem:
            raise Flaw(f"The text {problem}.", seq) from problem
        self._check(entry, seq)
        self._last_time = entry["at"]
        self.hashes.append(entry_hash(text))
        return entry

    def _check(self, entry: Json, seq: int) -> None:
        if not isinstance(entry, dict) or entry.keys() != ENTRY_MEMBERS:
            raise Flaw("The text is not an entry: a field is missing or unknown.", seq)
        if entry["game"] != self.game:
            raise Flaw("The entry belongs to another game.", seq)
        if type(entry["seq"]) is not int or entry["seq"] != seq:
            raise Flaw(f"Entry {seq} is missing; its place holds entry {entry['seq']}.", seq)
        if entry["prev"] != self.head:
            sentence = f"`prev` is not the hash of entry {seq - 1}: one of them was altered."
            raise Flaw(sentence, seq)
        if entry["seat"] is not None and type(entry["seat"]) is not int:
            raise Flaw("The seat is not a number.", seq)
        if not is_entry_time(entry["at"]):
            raise Flaw("The time is malformed.", seq)
        if entry["at"] < self._last_time:
            raise Flaw("The entry is earlier than the one before it.", seq)


def is_entry_time(text: Any) -> bool:
    """Whether this is a time in the format of entries."""
    if not isinstance(text, str) or not TIME_PATTERN.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class ReplayVerifier:
    """Replays a log entry by entry, including its sealed fields."""

    def __init__(self, game: str, secret: bytes) -> None:
        self.chain = ChainFollower(game)
        self.projection: Projection | None = None
        self._secret = secret

    def verify_entry(self, text: str, complete: Entry) -> Projection:
        """Verify one more entry, given its public text and its complete form, and return the
        projection after it."""
        place = EntryPlace(self.chain.game, self.chain.seq + 1, self.chain.head, self._secret)
        document = self.chain.add_text(text)
        table = self._apply(complete, place)
        self._compare(document, text, complete, table, place)
        self.projection = table
        return table

    def _apply(self, entry: Entry, place: EntryPlace) -> Projection:
        try:
            if self.projection is None:
                return create_projection(place.game, entry)
            table = replay_entry(self.projection, entry)
        except RulesetNotInstalled:
            raise
        except Exception as problem:  # an untrusted position may fail in any way
            raise Flaw(self._describe_misfit(entry, place, problem), place.seq) from problem
        return table

    def _describe_misfit(self, entry: Entry, place: EntryPlace, problem: Exception) -> str:
        cause = problem.__cause__ or problem
        return self._describe_unfair_draw(entry, place) or f"The entry cannot be replayed: {cause}"

    def _describe_unfair_draw(self, entry: Entry, place: EntryPlace) -> str:
        """The draw that differs from the fair one, in a sentence; empty if there is none."""
        if not entry.draws or self.projection is None:
            return ""
        key = draw_key(self._secret, place.game, self.projection.open_seeds)
        rng = FairRng(key, place.game, place.seq)
        for number, (value, limit) in enumerate(entry.draws, start=1):
            if limit < 1 or (fair_value := rng.below(limit)) != value:
                hint = "" if limit < 1 else f"; the fair draw is {fair_value}"
                return f"Draw {number} is {value} of {limit}{hint}."
        return ""

    def _compare(
        self, document: Json, text: str, complete: Entry, table: Projection, place: EntryPlace
    ) -> None:
        """The entry as the rules write it must equal the stored one."""
        if draw_flaw := self._describe_unfair_draw(complete, place):
            raise Flaw(draw_flaw, place.seq)
        if encode_canonical(list(complete)) != encode_canonical(list(table.entry)):
            sentence = "The action is not in the form that the rules write."
            raise Flaw(sentence, place.seq)
        expected_text = public_text(table.entry, place, tuple(table.field_readers))
        if expected_text != text:
            raise Flaw(describe_difference(document, decode_canonical(expected_text)), place.seq)


def describe_difference(document: Json, expected: Json) -> str:
    """How a public text differs from the one that its complete entry has, in a sentence."""
    for path in expected["sealed"]:
        if document["sealed"].get(path) != expected["sealed"][path]:
            return f"{path} does not match its seal."
    names = [name for name in expected if document[name] != expected[name]]
    return f"Its {' and '.join(names)} cannot have the values in the text."
