#!/usr/bin/env python3
"""Offline verification of an exported game: `python3 docs/verify.py game.ndjson`.

It needs nothing but Python 3.9, and follows docs/fairness.md (numbers are those of its parts), not
the server's own code. `--record` also checks that the game is in a public record; `--rules` also
replays it, if the package `tabularium-log` is there.
"""

from __future__ import annotations

import argparse
import hmac
import importlib.util
import json
import re
import sys
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from hashlib import sha256, sha512, shake_256
from pathlib import Path
from typing import Any, Iterable, Iterator  # noqa: UP035  # also in Python 3.9

LONGEST_LINE = 8 << 20  # bytes
LARGEST = 2**53
REVEALED = 1000  # entries to a line of the reveal
SIGNED = 100  # every so many entries the head is signed
DAY = 24 * 3600 * 1000
TAKEN_BACK = 8  # actions at most


class Wrong(Exception):
    """A flaw of the export, with the line of the file and the entry."""

    def __init__(self, sentence: str, line: int | None = None, seq: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence, self.line, self.seq = sentence, line, seq


class NotChecked(Exception):
    """Why something that was asked for could not be checked."""


def need(condition: object, sentence: str) -> None:
    """Raise Wrong with this sentence unless the condition holds."""
    if not condition:
        raise Wrong(sentence)


# -- 1. canonical JSON ----------------------------------------------------------------------------


def canonical(document: Any) -> str:
    """The canonical text of a document."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parsed(line: bytes) -> Any:
    """The document of a line, which must be canonical."""
    need(len(line) <= LONGEST_LINE, f"The line is longer than {LONGEST_LINE} bytes.")
    need(line.endswith(b"\n"), "The line is truncated: it does not end with a line feed.")
    try:
        text = line[:-1].decode("utf-8")
        document = json.loads(text, parse_int=whole, parse_float=no, parse_constant=no)
        need(canonical(document) == text and has_ascii_keys(document), "The line is not canonical.")
    except (ValueError, RecursionError) as problem:
        raise Wrong(f"The line is not canonical JSON: {problem}") from problem
    return document


def whole(digits: str) -> int:
    """A number that is the same number in every language."""
    if len(digits) > 17 or not -LARGEST < int(digits) < LARGEST:
        raise ValueError("a number is beyond 2^53")
    return int(digits)


def no(text: str) -> Any:
    """Refuse fractions: there are none."""
    raise ValueError(f"{text} is not a whole number")


def has_ascii_keys(value: Any) -> bool:
    """Whether all keys of all objects are ASCII."""
    if isinstance(value, dict):
        return all(key.isascii() and has_ascii_keys(item) for key, item in value.items())
    return all(map(has_ascii_keys, value)) if isinstance(value, list) else True


# -- 2. values derived from the secret ------------------------------------------------------------


def commitment(game: str, secret: bytes) -> str:
    """The commitment to the secret, in entry 1."""
    return sha256(b"tabularium/commit/1" + game.encode() + secret).hexdigest()


def seed_hash(seed: bytes) -> str:
    """The hash of a seat's seed, published when it joins."""
    return sha256(b"tabularium/seed/1" + seed).hexdigest()


def mac(secret: bytes, message: list[Any]) -> bytes:
    """HMAC-SHA-256 over canonical JSON."""
    return hmac.new(secret, canonical(message).encode(), sha256).digest()


def draw_key(secret: bytes, game: str, seeds: list[str | None]) -> bytes:
    """K, the key of all draws."""
    return mac(secret, ["tabularium/key/1", game, seeds])


def salt(secret: bytes, game: str, seq: int, path: str) -> bytes:
    """The salt of one sealed field."""
    return mac(secret, ["tabularium/salt/1", game, seq, path])


def seal(salted: bytes, path: str, value: Any) -> str:
    """The seal that stands in the entry for a hidden field."""
    return sha256(salted + canonical([path, value]).encode()).hexdigest()


def entry_hash(text: bytes) -> str:
    """The hash of an entry, over the bytes of its line without the line feed."""
    return sha256(b"tabularium/entry/1" + text).hexdigest()


def drawn(key: bytes, game: str, seq: int, limits: Iterable[int]) -> Iterator[int]:
    """The draws of an entry, from 64-bit words without those that would bias them."""
    source = shake_256(b"tabularium/draw/1" + key + game.encode() + seq.to_bytes(8, "big"))
    words, used = b"", 0
    for limit in limits:
        word = fair = 2**64 - 2**64 % limit
        while word >= fair:
            if used == len(words):
                words = source.digest(2 * len(words) or 128)
            word = int.from_bytes(words[used : used + 8], "big")
            used += 8
        yield word % limit


# -- 5. shapes ------------------------------------------------------------------------------------

PATTERNS = {
    "agreement": "draw|end|takeback|pause",
    "departure": "bot|resign",
    "expiry": "bot|random|resign",
    "format": "export/[123]",
    "game": "game_[0-9a-f]{32}",
    "hash": "[0-9a-f]{64}",
    "leaf": "(game|blind)/1",
    "link": "game_[0-9a-f]{32}",
    "seed": "([0-9a-f]{2}){16,64}",
    "signature": "[0-9a-f]{128}",
    "slug": "[a-z][a-z0-9_]*",
    "text": "(?s:.*)",
    "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
    "viewer": r"everything|onlooker|seat:(0|[1-9]\d?)",
}
RANGES = {
    "level": (1, 2),
    "ms": (1000, 30 * 24 * 3600 * 1000),
    "number": (1 - LARGEST, LARGEST - 1),
    "seat": (0, 61),
    "seats": (1, 62),
    "seq": (1, LARGEST - 1),
    "size": (0, LARGEST - 1),
    "version": (1, LARGEST - 1),
}
MISSING = ("mark", "link")  # kinds of fields that may be missing
SHAPES = {  # name:kind of every field; ? is "or null", * is "a list of"
    "header": "tabularium:format game:game rules:slug version:version seats:seats viewer:viewer"
    " key:hash",
    "entry": "action:object? at:time game:game prev:hash sealed:object seat:seat? seq:seq",
    "reveal": "fields:object salts:object?",
    "trailer": "count:seq head:hash receipts:receipt*",
    "record": "leaf:leaf proof:text",
    "receipt": "game:game hash:hash key:hash seq:seq signature:signature",
    "clock": "action_ms:ms then:expiry",
    "origin": "game:game hash:hash seat:seat? seq:seq",
    "result": "reason:text scores:number*? winners:seat*",
    "table.create": "type:text rules:slug version:version digest:hash seats:seats options:object"
    " commitment:hash key:hash clock:clock? origin:origin? rated:mark"
    " hints:mark rematch:link",
    "table.join": "type:text bot:text? seed_hash:hash?",
    "table.leave": "type:text",
    "table.open_seed": "type:text seed:seed",
    "table.start": "type:text level:level position:object?",
    "table.resign": "type:text",
    "table.time_out": "type:text then:expiry",
    "table.replace": "type:text bot:text",
    "table.end": "type:text secret:hash result:result?",
    "table.abort": "type:text",
    "table.propose": "type:text of:agreement to:seq?",
    "table.accept": "type:text proposal:seq",
    "table.decline": "type:text proposal:seq",
    "table.takeback": "type:text to:seq",
    "table.pause": "type:text",
    "table.resume": "type:text",
    "table.claim": "type:text seat:seat then:departure",
    "table.expire": "type:text",
    "table.hint": "type:text",
}
BY_TABLE = ("start", "end", "takeback", "pause", "expire")  # "resume" is by a seat or the table
IN_SECOND = [*SHAPES][[*SHAPES].index("table.end") + 1 :]  # only an export/2 has these entries
FIELDS = {name: dict(f.split(":") for f in shape.split()) for name, shape in SHAPES.items()}


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of this kind."""
    if kind.endswith("?"):
        return value is None or fits(value, kind[:-1])
    if kind.endswith("*"):
        return isinstance(value, list) and all(fits(item, kind[:-1]) for item in value)
    if kind == "mark":
        return value is True
    if kind in PATTERNS:
        matches = type(value) is str and re.fullmatch(PATTERNS[kind], value, re.ASCII)
        return bool(matches) and (kind != "time" or is_date(value))
    if kind in RANGES:
        return type(value) is int and RANGES[kind][0] <= value <= RANGES[kind][1]
    fields = FIELDS.get(kind)
    if not isinstance(value, dict) or fields is None:
        return isinstance(value, dict)
    due = [name for name in fields if name in value or fields[name] not in MISSING]
    return value.keys() == set(due) and all(fits(value[name], fields[name]) for name in due)


def is_date(text: str) -> bool:
    """Whether there is such a day and time of day."""
    try:
        moment(text)
    except ValueError:
        return False
    return True


def moment(text: str) -> int:
    """A time, in milliseconds since the year 1."""
    time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")  # noqa: DTZ007  # all are in UTC
    return (time - datetime(1, 1, 1)) // timedelta(milliseconds=1)  # noqa: DTZ001  # likewise


def shaped(value: Any, kind: str) -> Any:
    """The value, which must be of this kind."""
    need(
        fits(value, kind),
        f"This is not a valid {kind}: a field is missing, unknown or of the wrong kind.",
    )
    return value


# -- 5. the life of a table -----------------------------------------------------------------------


class Table:
    """The table: its players, and the entries that may come next."""

    def __init__(self, game: str, create: Any) -> None:
        self.game, self.create, self.phase, self.level = game, create, "gathering", 0
        self.secret = b""
        self.seeds: list[Any] = []  # the seats' contributions to the key of all draws
        self.seats: list[Any] = [None] * create["seats"]  # their players
        self.resigned: set[int] = set()
        self.late = False
        self.seq, self.now, self.before = 1, 0, 0  # of the last entry; the time of the one before
        self.is_second = "hints" in create or "rematch" in create
        self.proposal: dict[str, Any] | None = None
        self.spent: set[int] = set()  # the seats that have made a proposal since the last action
        self.acted: dict[int, int] = {}  # when each seat last acted
        self.undo: list[tuple[int, int]] = []  # seq and seat of the actions that can be taken back
        self.undone: list[int] = []
        self.paused: int | None = None
        self.void = self.touched = False  # ended without a result; a person has acted
        self.is_rated = create.get("rated", False)
        if self.is_rated:
            clock = create["clock"]
            need(
                clock and clock["then"] != "bot",
                "A rated game needs a clock with `then` set to `resign` or `random`.",
            )
            need(create["origin"] is None, "A fork cannot be rated.")

    def follow(self, at: str, seat: int | None, action: Any, sealed: Any) -> None:
        """Add an entry. A game's own action may be hidden, but not its kind of entry."""
        self.seq, self.before, self.now = self.seq + 1, self.now, moment(at)
        need(self.phase != "over", "Nothing may follow the end.")
        need(seat is None or seat < len(self.seats), f"There is no seat {seat}.")
        kind = action["type"] if action is not None and "type" in action else None
        if isinstance(kind, str) and kind.startswith("table."):
            need(kind in FIELDS and kind != "table.create", f"{kind} is not a possible entry here.")
            name = kind[len("table.") :]
            need(
                name == "resume" or (seat is None) == (name in BY_TABLE),
                "The table makes this entry, and no seat does, or the other way round.",
            )
            self.is_second = self.is_second or kind in IN_SECOND
            getattr(self, name)(seat, action, sealed)
        else:
            self.act(seat, action, kind, sealed)

    def gather(self, seat: int, action: Any, sealed: Any, taken: bool) -> Any:
        """The player on a seat, before the start."""
        shaped(action, action["type"])
        need(not sealed, "This kind of entry has no sealed fields.")
        need(self.phase == "gathering", "The game has started.")
        need(
            (self.seats[seat] is not None) == taken,
            f"Seat {seat} is {'free' if taken else 'taken'}.",
        )
        return self.seats[seat]

    def play(self, action: Any, sealed: Any) -> None:
        """Check an entry between the start and the end that has nothing sealed."""
        shaped(action, action["type"])
        need(not sealed, "This kind of entry has no sealed fields.")
        self.need_playing()

    def need_playing(self) -> None:
        """Check that the game has started and is not over."""
        need(self.phase == "playing", "The game is not running.")
        need(len(self.left()) > 1, "All other seats have resigned: only the end may follow.")
        need(not self.void, "The game ends without a result: only the end may follow.")
        need(not self.agreed(), "The players have agreed: only the consequence may follow.")

    def people(self) -> set[int]:
        """The seats that people play who have not resigned."""
        return {seat for seat in self.left() if self.seats[seat]["bot"] is None}

    def agreed(self) -> bool:
        """Whether all people have accepted the proposal."""
        return self.proposal is not None and self.people() <= self.proposal["accepted"]

    def part(self, seat: int, action: Any, sealed: Any) -> None:
        """Check an entry of a person between the start and the end."""
        self.play(action, sealed)
        need(seat in self.people(), f"No person plays seat {seat}.")

    def left(self) -> list[int]:
        """The seats that have not resigned."""
        return [seat for seat in range(len(self.seats)) if seat not in self.resigned]

    def join(self, seat: int, action: Any, sealed: Any) -> None:
        self.gather(seat, action, sealed, False)
        self.late = self.late or any(who and who["seed"] for who in self.seats)
        here = [who["bot"] for who in self.seats if who and who["bot"] is not None]
        need(
            not self.is_rated or action["bot"] not in here,
            "In a rated game every bot has one seat.",
        )
        self.seats[seat] = {"bot": action["bot"], "hash": action["seed_hash"], "seed": None}

    def leave(self, seat: int, action: Any, sealed: Any) -> None:
        self.gather(seat, action, sealed, True)
        self.seats[seat] = None

    def open_seed(self, seat: int, action: Any, sealed: Any) -> None:
        who = self.gather(seat, action, sealed, True)
        need(who["hash"] and not who["seed"], f"Seat {seat} has no seed to open.")
        need(all(self.seats), "Seeds are opened when all seats are taken.")
        right = seed_hash(bytes.fromhex(action["seed"])) == who["hash"]
        need(right, f"The seed does not match the hash that seat {seat} sent on joining.")
        self.seats[seat] = {**who, "seed": action["seed"]}

    def start(self, seat: None, action: Any, sealed: Any) -> None:
        origin = self.create["origin"]
        hidden = {"/action/position"} if origin and origin["seat"] is not None else set()
        shaped({**action, "position": None} if hidden else action, "table.start")
        need(
            "position" not in action or not hidden,
            "The position of a fork from a seat's view must be sealed.",
        )
        need(set(sealed) == {"/draws"} | hidden, "The wrong fields are sealed.")
        need(
            bool(origin) == bool(hidden or action["position"]),
            "A fork has a position, other games have none.",
        )
        ready = all(who and (who["seed"] or not who["hash"]) for who in self.seats)
        need(self.phase == "gathering" and ready, "Not all seats are ready for the start.")
        people = [who for who in self.seats if who["bot"] is None]
        fair = people and all(who["hash"] for who in people) and not self.late
        self.level = 2 if fair else 1
        need(action["level"] == self.level, f"The fairness level of this table is {self.level}.")
        self.seeds = [who["seed"] for who in self.seats]
        self.acted = dict.fromkeys(range(len(self.seats)), self.now)
        self.phase = "playing"

    def act(self, seat: int | None, action: Any, kind: Any, sealed: Any) -> None:
        self.need_playing()
        need(seat is not None, "An action of the game needs a seat.")
        name = self.create["rules"] + "[.][a-z][a-z0-9_]*"
        ours = type(kind) is str and re.fullmatch(name, kind, re.ASCII)
        need(ours or action is None, "This is not an action of this game.")
        need("/draws" in sealed, "The draws are not sealed.")
        need(
            (action is None) == ("/action" in sealed), "The action must be either public or sealed."
        )
        for path in set(sealed) - {"/draws", "/action"}:
            field = path[len("/action/") :]
            own = re.fullmatch("/action/[a-z][a-z0-9_]*", path) and field != "type"
            need(own and action is not None and field not in action, f"{path} cannot be sealed.")
        self.acted_by(seat or 0, set(sealed) == {"/draws"})

    def acted_by(self, seat: int, is_open: bool) -> None:
        """Note an action of the game: that of another person declines a proposal."""
        need(self.paused is None, "The game is paused.")
        is_person = seat in self.people()
        self.touched = self.touched or is_person
        if self.proposal and (
            self.proposal["of"] == "takeback" or (is_person and seat != self.proposal["seat"])
        ):
            self.proposal = None
        self.spent, self.acted[seat] = set(), self.now
        same = self.undo if self.undo and self.undo[-1][1] == seat else []
        self.undo = [*same, (self.seq, seat)][-TAKEN_BACK:] if is_open else []

    def resign(self, seat: int, action: Any, sealed: Any) -> None:
        self.play(action, sealed)
        need(seat not in self.resigned, f"Seat {seat} has resigned already.")
        self.resigned.add(seat)
        self.proposal, self.undo = None, []

    def time_out(self, seat: int, action: Any, sealed: Any) -> None:
        self.play(action, sealed)
        then = self.create["clock"] and self.create["clock"]["then"]
        need(action["then"] == then, "The table has no clock with this expiry.")
        need(self.paused is None, "The game is paused.")
        self.proposal, self.undo = None, []

    def replace(self, seat: int, action: Any, sealed: Any) -> None:
        self.play(action, sealed)
        mine = not self.is_rated or seat in self.resigned
        need(mine, "In a rated game a bot plays only for seats that have resigned.")
        self.seats[seat] = {**self.seats[seat], "bot": action["bot"]}
        self.proposal, self.undo = None, []

    def abort(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        need(not self.is_rated, "A rated game cannot be aborted.")
        need(not self.touched, "A person has acted: the game can no longer be aborted.")
        self.void, self.proposal = True, None

    def propose(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        of, to, alone = action["of"], action["to"], self.people() == {seat}
        need(self.paused is None, "The game is paused.")
        need(self.proposal is None, "Another proposal is open.")
        need(seat not in self.spent, "This seat has made a proposal since the last action.")
        need((to is None) == (of != "takeback"), "Only a takeback names an entry to return to.")
        allowed = not self.is_rated or (of in ("draw", "pause") and not alone)
        need(allowed, "In a rated game people agree on a draw or a pause, nothing else.")
        bots = [place for place in self.left() if self.seats[place]["bot"] is not None]
        need(of != "draw" or not (alone or bots), "A draw needs people on all seats.")
        need(of != "pause" or self.create["clock"], "There is no clock that a pause could stop.")
        mine = to is None or (to + 1, seat) in self.undo
        need(mine, "This entry is not one to which the seat can return.")
        self.spent.add(seat)
        self.proposal = {"seq": self.seq, "seat": seat, "of": of, "to": to, "accepted": {seat}}

    def accept(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        proposal = self.opened(action)
        need(seat not in proposal["accepted"], f"Seat {seat} has accepted this proposal.")
        self.proposal = {**proposal, "accepted": proposal["accepted"] | {seat}}

    def decline(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        self.opened(action)
        self.proposal = None

    def opened(self, action: Any) -> dict[str, Any]:
        """The open proposal, which the action must name."""
        known = self.proposal and self.proposal["seq"] == action["proposal"]
        need(known, "There is no such open proposal.")
        return self.proposal or {}

    def consent(self, action: Any, sealed: Any, of: str) -> dict[str, Any]:
        """The proposal that all people have accepted."""
        shaped(action, action["type"])
        need(not sealed, "This kind of entry has no sealed fields.")
        agreed = self.phase == "playing" and self.agreed() and len(self.left()) > 1
        need(agreed and self.proposal and self.proposal["of"] == of, "The players have not agreed.")
        proposal, self.proposal = self.proposal, None
        return proposal or {}

    def takeback(self, seat: None, action: Any, sealed: Any) -> None:
        proposal = self.consent(action, sealed, "takeback")
        need(proposal["to"] == action["to"], "The players have agreed on another takeback.")
        self.undone += [seq for seq, _ in self.undo if seq > action["to"]]
        self.undo = [each for each in self.undo if each[0] <= action["to"]]

    def pause(self, seat: None, action: Any, sealed: Any) -> None:
        self.consent(action, sealed, "pause")
        self.paused, self.undo = self.now, []

    def resume(self, seat: int | None, action: Any, sealed: Any) -> None:
        self.play(action, sealed)
        need(self.paused is not None, "The game is not paused.")
        need(seat is None or seat in self.people(), f"No person plays seat {seat}.")
        lasted = self.now - (self.paused or 0)
        need(seat is not None or lasted >= 7 * DAY, "The pause has not lasted for seven days.")
        self.paused = None

    def claim(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        absent = action["seat"]
        need(self.create["clock"] is None, "The clock of this table removes players who are late.")
        other = absent != seat and absent in self.people()
        need(other, f"No other person plays seat {absent}.")
        silent = self.now - self.acted[absent] >= 7 * DAY
        need(silent, f"Seat {absent} has not been silent for seven days.")
        self.proposal, self.undo = None, []

    def expire(self, seat: None, action: Any, sealed: Any) -> None:
        self.play(action, sealed)
        need(self.create["clock"] is None, "A table with a clock does not expire.")
        need(self.now - self.before >= 90 * DAY, "The last entry is not ninety days old.")
        self.void, self.proposal = True, None

    def hint(self, seat: int, action: Any, sealed: Any) -> None:
        self.part(seat, action, sealed)
        need(not self.is_rated, "A rated game has no hints.")
        allowed = "hints" in self.create or self.people() == {seat}
        need(allowed, "Other people play, and the table was made without hints.")
        need(self.paused is None, "The game is paused.")

    def end(self, seat: None, action: Any, sealed: Any) -> None:
        shaped(action, "table.end")
        need(not sealed, "This kind of entry has no sealed fields.")
        outcome, left = action["result"], self.left()
        agreed = self.proposal["of"] if self.proposal and self.agreed() else None
        need(agreed in (None, "draw", "end"), "The players have agreed on something else.")
        without = self.phase == "gathering" or (len(left) > 1 and (self.void or agreed == "end"))
        need((outcome is None) == without, "A result is missing, or there can be none.")
        if outcome:
            winners, scores = outcome["winners"], outcome["scores"]
            need(winners and set(winners) <= set(left), "A seat that has resigned cannot win.")
            need(len(set(winners)) == len(winners), "A winner is named twice.")
            drawn = len(left) > 1 and agreed == "draw"
            need(not drawn or set(winners) == set(left), "A draw has all players as winners.")
            given_up = len(left) == 1 or drawn
            need((scores is None) == given_up, "Only a game that was given up has no scores.")
            need(
                scores is None or len(scores) == len(self.seats),
                "There must be one score per seat.",
            )
        secret = bytes.fromhex(action["secret"])
        right = commitment(self.game, secret) == self.create["commitment"]
        need(right, "The secret does not match the commitment in entry 1.")
        self.phase, self.secret = "over", secret


# -- 3, 6. the file -------------------------------------------------------------------------------


class Export:
    """The export: each line is checked against those before it, then the seals and the draws."""

    def __init__(self) -> None:
        self.header: Any = None
        self.table: Any = None
        self.trailer: Any = None
        self.hashes: list[str] = []
        self.entries: list[Any] = []
        self.fields: dict[str, Any] = {}
        self.salts: dict[str, Any] | None = None
        self.reveals = 0
        self.record: Any = None
        self.lines = 0

    def read(self, document: Any, text: bytes) -> None:
        """Add a line."""
        if self.trailer is not None:
            self.read_record(document)
            return
        need(isinstance(document, dict), "A line must hold an object.")
        if self.header is None:
            self.header = shaped(document, "header")
        elif "reveal" in document:
            self.read_reveal(document)
        elif "trailer" in document:
            self.read_trailer(document)
        else:
            self.read_entry(document, text)

    def read_entry(self, entry: Any, text: bytes) -> None:
        """Check that an entry follows the one before and is allowed now."""
        seq = len(self.hashes) + 1
        need(not self.reveals, "An entry follows the reveal.")
        shaped(entry, "entry")
        need(all(fits(value, "hash") for value in entry["sealed"].values()), "A seal is malformed.")
        need(entry["seq"] == seq, f"Entry {seq} is missing: its place holds entry {entry['seq']}.")
        need(entry["game"] == self.header["game"], "The entry belongs to another game.")
        previous = self.hashes[-1] if self.hashes else "0" * 64
        sentence = f"`prev` is not the hash of entry {seq - 1}: one of them was altered."
        need(entry["prev"] == previous, sentence)
        if seq == 1:
            self.create(entry)
        else:
            need(
                entry["at"] >= self.entries[-1]["at"],
                "The entry is earlier than the one before it.",
            )
            self.table.follow(entry["at"], entry["seat"], entry["action"], entry["sealed"])
        self.hashes.append(entry_hash(text))
        self.entries.append(entry)

    def create(self, entry: Any) -> None:
        """Check entry 1, which must agree with the header."""
        action = shaped(entry["action"], "table.create")
        need(action["type"] == "table.create", "The first entry must create the table.")
        need(
            entry["seat"] is None and not entry["sealed"], "Entry 1 must have no seat and no seals."
        )
        for name in ("rules", "version", "seats", "key"):
            need(action[name] == self.header[name], f"The header and entry 1 differ in {name}.")
        self.table = Table(entry["game"], action)
        self.table.now = moment(entry["at"])

    def read_reveal(self, document: Any) -> None:
        """A line of the reveal, for the next thousand entries."""
        need(document.keys() == {"reveal"} and self.hashes, "This is not a reveal.")
        reveal = shaped(document["reveal"], "reveal")
        first = self.reveals * REVEALED + 1
        need(first <= len(self.hashes), "The reveal has more lines than needed.")
        places = {str(seq) for seq in range(first, len(self.hashes) + 1)[:REVEALED]}
        over = self.table.phase == "over"
        need((reveal["salts"] is None) == over, "Salts are revealed only while a game is running.")
        for part in (reveal["fields"], reveal["salts"] or {}):
            for seq, values in part.items():
                need(seq in places, f"Entry {seq} does not belong in this line of the reveal.")
                need(isinstance(values, dict) and values, "This is not a set of fields.")
        self.reveals += 1
        self.fields.update(reveal["fields"])
        self.salts = None if over else {**(self.salts or {}), **reveal["salts"]}

    def read_trailer(self, document: Any) -> None:
        """Check the trailer: the number of entries, the head, and the signed receipts."""
        need(document.keys() == {"trailer"}, "This is not a trailer.")
        count = len(self.hashes)
        lines = -(-count // REVEALED)
        need(count and self.reveals == lines, "The reveal is missing or incomplete.")
        trailer = shaped(document["trailer"], "trailer")
        need(trailer["count"] == count, f"There are {count} entries, not {trailer['count']}.")
        form = self.header["tabularium"]
        over = self.table.phase == "over"
        need(over or form != "export/3", "Only a game that is over has a proof from the record.")
        right = form == "export/3" or self.table.is_second == (form == "export/2")
        need(right, "The header does not name the format of the entries.")
        if trailer["head"] != self.hashes[-1]:
            sentence = "The head is not the hash of the last entry: one of them was altered."
            raise Wrong(sentence, None, count)
        self.trailer = trailer

    def read_record(self, document: Any) -> None:
        """The line with the proof from the record."""
        due = self.header["tabularium"] == "export/3" and self.record is None
        need(due, "Nothing may follow the trailer.")
        ours = isinstance(document, dict) and document.keys() == {"record"}
        sentence = "This is not a line with a proof from the record."
        need(ours and fits(document["record"], "record"), sentence)
        self.record = document["record"]


# -- 4. seals and draws ---------------------------------------------------------------------------


def check_fields(export: Export) -> int:
    """Check that every revealed field is the one that was sealed; the number of them."""
    over, told = export.table.phase == "over", 0
    for seq, entry in enumerate(export.entries, start=1):
        values = export.fields.get(str(seq), {})
        salts = (export.salts or {}).get(str(seq), {})
        try:
            if over:
                need(
                    values.keys() == entry["sealed"].keys(),
                    "The revealed fields are not the sealed fields of this entry.",
                )
                salts = salts_of(export, seq, values)
            need(
                salts.keys() == values.keys(),
                "The revealed salts do not match the revealed fields.",
            )
            need(over or "/draws" not in values, "Draws are revealed while the game is running.")
            for path, value in values.items():
                need(fits(salts[path], "hash"), f"The salt of {path} is malformed.")
                made = seal(bytes.fromhex(salts[path]), path, value)
                need(made == entry["sealed"].get(path), f"{path} does not match its seal.")
                told += 1
            if over and "/draws" in values:
                check_draws(export, seq, values["/draws"])
                open_card = not values["/draws"] or seq not in export.table.undone
                need(open_card, "An action with draws was taken back.")
            if over and "/action" in values:
                check_hidden(export, values["/action"])
        except Wrong as wrong:
            raise Wrong(wrong.sentence, None, seq) from wrong
    return told


def salts_of(export: Export, seq: int, values: Any) -> dict[str, str]:
    """The salts derived from the secret."""
    secret, game = export.table.secret, export.header["game"]
    return {path: salt(secret, game, seq, path).hex() for path in values}


def check_draws(export: Export, seq: int, draws: Any) -> None:
    """Check that every draw follows from the secret and the seeds."""
    need(isinstance(draws, list), "The draws are not a list.")
    pairs = all(fits(pair, "size*") and len(pair) == 2 and pair[1] > 0 for pair in draws)
    need(pairs, "The draws are not pairs of numbers.")
    game = export.header["game"]
    key = draw_key(export.table.secret, game, export.table.seeds)
    fair = drawn(key, game, seq, [limit for _, limit in draws])
    for number, ((value, limit), right) in enumerate(zip(draws, fair), start=1):  # noqa: B905
        need(value == right, f"Draw {number} is {value} of {limit}; the fair draw is {right}.")


def check_hidden(export: Export, action: Any) -> None:
    """Check that an action sealed as a whole is one of the game's own."""
    kind = action.get("type") if isinstance(action, dict) else None
    prefix = export.header["rules"] + "."
    need(isinstance(kind, str) and kind.startswith(prefix), "This is not an action of this game.")


# -- 7. receipts ----------------------------------------------------------------------------------


def signature_check() -> Any:
    """The check of Ed25519 signatures, given the public key, the message and the signature: that of
    `cryptography` if it is installed, which is faster, or else the one below."""
    if importlib.util.find_spec("cryptography") is None:
        return has_signed
    ed25519 = importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    exceptions = importlib.import_module("cryptography.exceptions")

    def check(public: bytes, message: bytes, signature: bytes) -> bool:
        try:
            ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except (ValueError, exceptions.InvalidSignature):
            return False
        return True

    return check


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
BASE_Y = 4 * pow(5, P - 2, P) % P


def point(raw: bytes) -> Any:
    """A point of the curve, as x, y, z and t = xy/z; None if the bytes are none."""
    number = int.from_bytes(raw, "little")
    y = number % 2**255 % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * ROOT % P
    if (v * x * x - u) % P:
        return None
    x = -x % P if x % 2 != number >> 255 else x
    return x, y, 1, x * y % P


def plus(one: Any, two: Any) -> Any:
    """The sum of two points."""
    a, b = (one[1] - one[0]) * (two[1] - two[0]), (one[1] + one[0]) * (two[1] + two[0])
    c, d = 2 * D * one[3] * two[3], 2 * one[2] * two[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def has_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the key's Ed25519 signature (RFC 8032) of the message, in plain Python."""
    key, s = point(public), int.from_bytes(signature[32:], "little")
    if len(public) != 32 or len(signature) != 64 or key is None or s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    base, negative = point(BASE_Y.to_bytes(32, "little")), (-key[0] % P, key[1], 1, -key[3] % P)
    terms = {(1, 0): base, (0, 1): negative, (1, 1): plus(base, negative)}
    total = (0, 1, 1, 0)
    for bit in range(252, -1, -1):  # s * base - k * key
        total = plus(total, total)
        bits = (s >> bit & 1, k >> bit & 1)
        total = plus(total, terms[bits]) if bits in terms else total
    inverse = pow(total[2], P - 2, P)
    x, y = total[0] * inverse % P, total[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


def is_genuine(receipt: Any) -> bool:
    """Whether the signature of a receipt is that of its key."""
    document = {name: receipt[name] for name in ("game", "hash", "seq")}
    message = b"tabularium/receipt/1" + canonical(document).encode()
    public, signature = bytes.fromhex(receipt["key"]), bytes.fromhex(receipt["signature"])
    return bool(signature_check()(public, message, signature))


def check_receipts(export: Export, kept: list[Any], key: str | None, unsigned: bool) -> bool:
    """Check the receipts of the trailer and those given; whether there are any."""
    kept = [receipt for receipt in kept if receipt["game"] == export.header["game"]]
    check_agreement(list(filter(is_genuine, kept)))
    own, count = export.trailer["receipts"], len(export.hashes)
    need(key in (None, export.header["key"]), "The game was not signed with the given key.")
    due = sorted({*range(SIGNED, count + 1, SIGNED), count})
    if own or not unsigned:
        need(
            [r["seq"] for r in own] == due, "The receipts in the trailer are not the required ones."
        )
    for receipt in [*own, *kept]:
        check_receipt(export, receipt)
    return bool(own or kept)


def check_receipt(export: Export, receipt: Any) -> None:
    """Check one receipt: it must be genuine and agree with the log."""
    seq, count = receipt["seq"], len(export.hashes)
    try:
        need(receipt["game"] == export.header["game"], "A receipt is for another game.")
        need(receipt["key"] == export.header["key"], "A receipt is signed with another key.")
        need(is_genuine(receipt), "A receipt has an invalid signature.")
        beyond = "The server signed an entry after the end of this log."
        need(seq <= count or export.table.phase != "over", beyond)
        sentence = "The server signed another hash for this entry: the log was changed afterwards."
        need(seq > count or receipt["hash"] == export.hashes[seq - 1], sentence)
    except Wrong as wrong:
        raise Wrong(wrong.sentence, None, seq) from wrong


def check_agreement(kept: list[Any]) -> None:
    """Two receipts for one entry that disagree convict the server without any log."""
    seen: dict[int, str] = {}
    for receipt in kept:
        known = seen.setdefault(receipt["seq"], receipt["hash"])
        sentence = "Two receipts for this entry disagree: the server signed two versions."
        if known != receipt["hash"]:
            raise Wrong(sentence, None, receipt["seq"])


# -- 9. the record --------------------------------------------------------------------------------

NOT_A_PROOF = "The proof is not in the form of c2sp.org/tlog-proof@v1."
NOT_A_CHECKPOINT = "The checkpoint in the proof is malformed."
OTHER_TREE = "The proof does not lead from the leaf of this game to the root of the checkpoint."
OTHER_KEYS = "; --key HEX compares it with the key you know."
LEAVES = ("game/1", "blind/1")
LONGEST_LEAF, LONGEST_PROOF = 1024, 2**20  # bytes
MOST_HASHES, MOST_SIGNATURES = 63, 100
ID = 4  # bytes of a key's id


def leaf_of(export: Export, kind: str) -> bytes:
    """The leaf of a game that is over."""
    create, last, game = export.table.create, export.entries[-1], export.header["game"]
    facts = {name: create[name] for name in ("key", "rules", "version")}
    facts = {**facts, "game": game, "entries": last["seq"], "at": last["at"]}
    text = canonical({**facts, "hash": export.hashes[-1], "leaf": "game/1"}).encode()
    need(len(text) <= LONGEST_LEAF, f"The leaf game/1 has more than {LONGEST_LEAF} bytes.")
    if kind == "game/1":
        return text
    key = mac(export.table.secret, ["tabularium/blind/1", game])
    blind = hmac.new(key, text, sha256).hexdigest()
    return canonical({"blind": blind, "leaf": "blind/1"}).encode()


def from_base64(text: str, sentence: str) -> bytes:
    """Bytes in base64, which has one form."""
    try:
        raw = b64decode(text, validate=True)
    except ValueError as problem:
        raise Wrong(sentence) from problem
    need(b64encode(raw).decode() == text, sentence)
    return raw


def number_of(text: str, sentence: str) -> int:
    """A number below 2^63."""
    digits = re.fullmatch("0|[1-9][0-9]{0,18}", text)
    need(digits and int(text) < 2**63, sentence)
    return int(text)


class Checkpoint:
    """A signed note of a record's name, size and root."""

    def __init__(self, note: str) -> None:
        bad = NOT_A_CHECKPOINT
        text, found, block = note.rpartition("\n\n")
        lines = text.split("\n")
        need(
            found and is_plain(note) and block.endswith("\n") and len(lines) >= 3 and all(lines),
            bad,
        )
        self.text, self.origin = text + "\n", lines[0]
        self.size, self.root = number_of(lines[1], bad), from_base64(lines[2], bad)
        empty = sha256().digest()
        need(len(self.root) == 32 and (self.size or self.root == empty), bad)
        signed = block[:-1].split("\n")
        need(len(signed) <= MOST_SIGNATURES, bad)
        self.signatures = list(map(self.signature, signed))

    def signature(self, line: str) -> tuple[str, bytes, bytes]:
        """The name of a signature line, the key's id and the signature."""
        dash, name, text = [*line.split(" ", 2), "", ""][:3]
        named = name and "+" not in name and not any(map(str.isspace, name))
        need(dash == "\u2014" and named, NOT_A_CHECKPOINT)
        raw = from_base64(text, NOT_A_CHECKPOINT)
        need(len(raw) > ID, NOT_A_CHECKPOINT)
        return name, raw[:ID], raw[ID:]

    def check(self, record: tuple[str, bytes, bytes]) -> None:
        """Check that the key of the record has signed it, and that no line in its name is false."""
        name, number, public = record
        need(self.origin == name, "The checkpoint is of another record than the given key.")
        own = [value for *who, value in self.signatures if who == [name, number]]
        need(own, "The given key of the record has not signed the checkpoint.")
        check, text = signature_check(), self.text.encode()
        genuine = all(check(public, text, value) for value in own)
        need(genuine, "The signature of the checkpoint by the given key is false.")


def is_plain(text: str) -> bool:
    """Whether a text is short, and the line feed is its only control character."""
    return len(text.encode()) <= LONGEST_PROOF and not re.search("[\0-\x09\x0b-\x1f]", text)


class Proof:
    """The way from a leaf to the root of a checkpoint."""

    def __init__(self, text: str) -> None:
        head, found, note = text.partition("\n\n")
        need(found, NOT_A_PROOF)
        self.checkpoint = Checkpoint(note)
        first, *lines = head.split("\n")
        if lines and lines[0].startswith("extra "):
            need(from_base64(lines.pop(0)[len("extra ") :], NOT_A_PROOF), NOT_A_PROOF)
        need(first == "c2sp.org/tlog-proof@v1" and is_plain(text) and lines, NOT_A_PROOF)
        index, *hashes = lines
        need(index.startswith("index ") and len(hashes) <= MOST_HASHES, NOT_A_PROOF)
        self.index = number_of(index[len("index ") :], NOT_A_PROOF)
        self.hashes = [from_base64(line, NOT_A_PROOF) for line in hashes]
        need(all(len(one) == 32 for one in self.hashes), NOT_A_PROOF)
        size = self.checkpoint.size
        need(self.index < size, f"The proof is of leaf {self.index} in a tree of {size} leaves.")

    def is_of(self, leaf: bytes) -> bool:
        """Whether it leads from this leaf to the root. Above the highest bit in which its index
        differs from that of the last leaf, all hashes are on the left."""
        lower = (self.index ^ (self.checkpoint.size - 1)).bit_length()
        given, due = len(self.hashes), lower + bin(self.index >> lower).count("1")  # noqa: FURB161  # in Python 3.9
        need(given == due, f"The proof has {given} hashes, and must have {due}.")
        climbed = sha256(b"\0" + leaf).digest()
        for level, one in enumerate(self.hashes):
            is_left = level >= lower or self.index >> level & 1
            climbed = sha256(b"\1" + (one + climbed if is_left else climbed + one)).digest()
        return climbed == self.checkpoint.root


def record_key(text: str) -> tuple[str, bytes, bytes]:
    """The name, id and public key of a verifier key; raises ValueError."""
    name, number, key = [*text.split("+", 2), "", ""][:3]
    sentence = f"{text} is not a verifier key of Ed25519: name+hash+key."
    try:
        raw = from_base64(key, sentence)
    except Wrong as wrong:
        raise ValueError(sentence) from wrong
    right = sha256(name.encode() + b"\n" + raw).digest()[:ID]
    if right.hex() != number or raw[:1] != b"\1" or len(raw) != 33:
        raise ValueError(sentence)
    return name, right, raw[1:]


def check_proof(export: Export, kinds: Iterable[str], text: str, record: Any) -> str:
    """Check a proof of one of these kinds of leaves; the finding."""
    over = export.table.phase == "over"
    need(over, "Only a game that is over has a proof from the record.")
    proof = Proof(text)
    checkpoint = proof.checkpoint
    kind = next((kind for kind in kinds if proof.is_of(leaf_of(export, kind))), None)
    need(kind, OTHER_TREE)
    if record:
        checkpoint.check(record)
    place = f"leaf {proof.index} ({kind}) of {checkpoint.size} in {checkpoint.origin}"
    unsigned = "; --record KEY checks the signature of its checkpoint, too."
    return f"Recorded as {place}{', which its key has signed.' if record else unsigned}"


def check_proofs(export: Export, beside: str | None, record: Any) -> list[str]:
    """Check the proof in the export and the one beside it; the findings."""
    need(export.record or beside or not record, "The export has no proof from the record.")
    found = []
    if export.record:
        try:
            kind, text = export.record["leaf"], export.record["proof"]
            found.append(check_proof(export, [kind], text, record))
        except Wrong as wrong:
            raise Wrong(wrong.sentence, export.lines) from wrong
    return [*found, check_proof(export, LEAVES, beside, record)] if beside else found


# -- 8. the verdict -------------------------------------------------------------------------------


LEVELS = (
    "Nothing was drawn.",
    "Every draw follows from the secret. Fairness level 1: only the server added to the key.",
    "Every draw follows from secret and seeds. Fairness level 2: every player added to the key.",
)


def load(lines: Iterable[bytes]) -> Export:
    """Read the file line by line; Wrong names the first line with a flaw."""
    export, number = Export(), 0
    for number, line in enumerate(lines, start=1):  # counted on below
        try:
            export.read(parsed(line), line[:-1])
        except Wrong as wrong:
            seq = wrong.seq if export.reveals or number == 1 else number - 1
            raise Wrong(wrong.sentence, number, seq) from wrong
    if export.trailer is None:
        raise Wrong("The file is truncated: the trailer is missing.", number + 1)
    if export.header["tabularium"] == "export/3" and not export.record:
        raise Wrong("The file is truncated: the proof from the record is missing.", number + 1)
    export.lines = number
    return export


def verify(
    lines: Iterable[bytes],
    kept: Iterable[bytes] = (),
    key: str | None = None,
    unsigned: bool = False,
    record: str | None = None,
    proof: str | None = None,
) -> list[str]:
    """The findings about an export, as sentences; raises Wrong. `record` is the verifier key of the
    public record, `proof` a proof of the game beside the export."""
    known = record_key(record) if record else None
    receipts = [shaped(json.loads(line), "receipt") for line in kept]
    export = load(lines)
    told = check_fields(export)
    signed = check_receipts(export, receipts, key, unsigned)
    recorded = check_proofs(export, proof, known)
    over, count = export.table.phase == "over", len(export.hashes)
    told_of_draws = "The game is running: its draws can be verified when it is over."
    if over:
        told_of_draws = LEVELS[export.table.level]
    return [
        f"OK: {export.header['game']}, {count} entries, head {export.hashes[-1]}.",
        f"The chain is intact, and {told} revealed fields match their seals. {told_of_draws}",
        f"Signed by {export.header['key']}{'' if key else OTHER_KEYS}"
        if signed
        else "NOT checked: signatures (there are none).",
        *recorded,
    ]


def lines_of(path: str) -> Iterator[bytes]:
    """The lines of a file; of a far too long line only its beginning."""
    with Path(path).open("rb") as file:
        yield from iter(lambda: file.readline(LONGEST_LINE + 1), b"")


def by_the_rules(path: str) -> str:
    """Replay the game; raises Wrong at the first entry that its rules do not allow, and NotChecked
    where they are not installed."""
    if importlib.util.find_spec("tabularium_log") is None:
        raise NotChecked("Python finds no package tabularium-log: is its folder in PYTHONPATH?")
    exports = importlib.import_module("tabularium_log.audit.export_verifier")
    verdict = exports.verify_export(lines_of(path), is_signed=False)
    if not verdict.has_rules:
        raise NotChecked(verdict.sentence)
    if not verdict.is_good:
        raise Wrong(verdict.sentence, verdict.line, verdict.seq)
    return str(verdict.rules_sentence)


def main() -> int:
    """The exit code: 0 for a good file, 1 for a bad one, 2 for what could not be checked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("export", help="the exported game")
    parser.add_argument("--receipts", metavar="FILE", help="receipts that you kept, one per line")
    parser.add_argument("--key", metavar="HEX", help="the public key with which it must be signed")
    parser.add_argument(
        "--unsigned", action="store_true", help="accept an export without signatures"
    )
    parser.add_argument("--record", metavar="VKEY", help="the key of the record that must have it")
    parser.add_argument("--proof", metavar="FILE", help="its proof from the record, if not in it")
    parser.add_argument("--rules", action="store_true", help="also replay the game by its rules")
    asked = parser.parse_args()
    try:
        kept = lines_of(asked.receipts) if asked.receipts else ()
        proof = Path(asked.proof).read_bytes().decode() if asked.proof else None
        lines = lines_of(asked.export)
        found = verify(lines, kept, asked.key, asked.unsigned, asked.record, proof)
        rules = "The rules are not checked; --rules replays the game."
        found.append(by_the_rules(asked.export) if asked.rules else rules)
    except NotChecked as unchecked:
        sys.stdout.write("\n".join([*found, f"NOT checked: the rules. {unchecked}"]) + "\n")
        return 2
    except Wrong as wrong:
        places = [("line", wrong.line), ("entry", wrong.seq)]
        place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        sys.stdout.write(f"WRONG{' at ' + place if place else ''}: {wrong.sentence}\n")
        return 1
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    sys.stdout.write("\n".join(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
