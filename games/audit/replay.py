"""Could every entry of a log happen just so? It is followed by the rules and by chance and written
once more: what comes out must be what is there, byte for byte."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from games.audit.verdict import Flaw
from games.engines.common.codec import Json
from games.fairness import chain
from games.fairness.canonical import NotCanonical, canonical, parsed
from games.fairness.draws import FairRng
from games.fairness.secret import draw_key
from games.registry import UnknownRules
from games.table.entry import Entry, Place, open_text
from games.table.fold import created
from games.table.run import once_more
from games.table.table import Table

GAME: Final = re.compile(r"game_[0-9a-f]{32}")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
KEYS: Final = frozenset(("action", "at", "game", "prev", "sealed", "seat", "seq"))


class Links:
    """The chain alone: texts that follow on one another, whoever may read how much of them."""

    def __init__(self, game: str) -> None:
        if not GAME.fullmatch(game):
            raise Flaw("No game is called that.")
        self.game = game
        self.hashes = [chain.GENESIS]  # by seq
        self._at = ""

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.hashes) - 1

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self.hashes[-1]

    def follow(self, text: str) -> Json:
        """The open part of one more entry, or Flaw."""
        seq = self.seq + 1
        try:
            entry = parsed(text)
        except NotCanonical as problem:
            raise Flaw(f"The text {problem}.", seq) from problem
        self._check(entry, seq)
        self._at = entry["at"]
        self.hashes.append(chain.entry_hash(text))
        return entry

    def _check(self, entry: Json, seq: int) -> None:
        if not isinstance(entry, dict) or entry.keys() != KEYS:
            raise Flaw("The text is no entry: a field is missing or unknown.", seq)
        if entry["game"] != self.game:
            raise Flaw("This is an entry of another game.", seq)
        if type(entry["seq"]) is not int or entry["seq"] != seq:
            raise Flaw(f"Entry {seq} is missing; this says it is entry {entry['seq']}.", seq)
        if entry["prev"] != self.head:
            sentence = f"This does not name the hash of entry {seq - 1}: one of them was altered."
            raise Flaw(sentence, seq)
        if entry["seat"] is not None and type(entry["seat"]) is not int:
            raise Flaw("The seat is no number.", seq)
        if not is_time(entry["at"]):
            raise Flaw("The time is none.", seq)
        if entry["at"] < self._at:
            raise Flaw("The entry is earlier than the one before it.", seq)


def is_time(text: Any) -> bool:
    """Is this a time as entries have it?"""
    if not isinstance(text, str) or not TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class Replay:
    """A log that is followed entry by entry, with all that is sealed."""

    def __init__(self, game: str, secret: bytes) -> None:
        self.links = Links(game)
        self.table: Table | None = None
        self._secret = secret
        self._key = b""

    def follow(self, text: str, complete: Entry) -> Table:
        """The table after one more entry, given what everybody may read of it and all of it."""
        place = Place(self.links.game, self.links.seq + 1, self.links.head, self._secret)
        told = self.links.follow(text)
        table = self._after(complete, place)
        self._compare(told, text, complete, table, place)
        self.table = table
        return table

    def _after(self, entry: Entry, place: Place) -> Table:
        try:
            if self.table is None:
                return created(place.game, entry)
            following = once_more(self.table, entry)
        except UnknownRules:
            raise
        except Exception as problem:  # a stranger's position may trip the rules in any way
            raise Flaw(self._misfit(entry, place, problem), place.seq) from problem
        return following

    def _misfit(self, entry: Entry, place: Place, problem: Exception) -> str:
        cause = problem.__cause__ or problem
        return self._unfair(entry, place) or f"This cannot have happened: {cause}"

    def _unfair(self, entry: Entry, place: Place) -> str:
        """Which draw is not what chance gave, in a sentence."""
        if not entry.draws or self.table is None:
            return ""
        rng = FairRng(self._draw_key(self.table), place.game, place.seq)
        for number, (value, limit) in enumerate(entry.draws, start=1):
            if limit < 1 or (right := rng.below(limit)) != value:
                given = "" if limit < 1 else f"; chance gave {right}"
                return f"Draw {number} is {value} of {limit}{given}."
        return ""

    def _draw_key(self, table: Table) -> bytes:
        """The key of all draws; fixed at the start, which is the first entry to draw."""
        if not self._key:
            self._key = draw_key(self._secret, table.game, table.seeds)
        return self._key

    def _compare(self, told: Json, text: str, complete: Entry, table: Table, place: Place) -> None:
        """What the rules made of the entry must be what is there."""
        if unfair := self._unfair(complete, place):
            raise Flaw(unfair, place.seq)
        if canonical(list(complete)) != canonical(list(table.entry)):
            sentence = "The action is not written as the rules write it."
            raise Flaw(sentence, place.seq)
        made = open_text(table.entry, place, tuple(table.readers))
        if made != text:
            raise Flaw(difference(told, parsed(made)), place.seq)


def difference(told: Json, made: Json) -> str:
    """In what a text differs from the one that its complete entry has, in a sentence."""
    for path in made["sealed"]:
        if told["sealed"].get(path) != made["sealed"][path]:
            return f"{path} is not what was sealed."
    names = [name for name in made if told[name] != made[name]]
    return f"Its {' and '.join(names)} cannot be what the text says."
