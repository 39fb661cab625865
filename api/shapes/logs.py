"""Shapes of logs: dataclasses of actions, entries, positions and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.shapes.games import ChoiceView, Offer, SeatOrSeq
from tabularium_log.fairness.signed_hash_chain import Receipt
from tabularium_log.projection.table_actions import Outcome


@dataclass(frozen=True)
class NewActions:
    """One action of a seat, or several that are appended all or none. `choice` is the token of the
    choice that they answer; alternatively, `expected_seq` is the last entry you have seen."""

    seat: SeatOrSeq
    action: Any = None
    actions: tuple[Any, ...] | None = None
    choice: str | None = None
    expected_seq: SeatOrSeq | None = None


@dataclass(frozen=True)
class ActionCheckRequest(NewActions):
    """Actions to check, as in `NewActions`. An action may be any document, since the reply reports
    its errors."""


@dataclass(frozen=True)
class EntryView:
    """An entry as you may read it. `public` is the part that is open to all: its canonical form
    (RFC 8785) is the text that `hash` covers. `action` adds the fields that you may read beyond
    it. The `type` of an item of `news` tells its members, of which those that you may not read are
    missing. An entry of the table has an item of its own type, and `table.start` those of the deal,
    too. `news` is null if the rules of the game are not installed."""

    seq: int
    seat: int | None
    at: str
    action: Any
    opened: Any
    news: tuple[Any, ...] | None
    hash: str
    public: Any


@dataclass(frozen=True)
class ActionResult:
    """The result of your action: its entries, and your choice now. `entry` is the last of them:
    where the action ends the game, that is `table.end`."""

    seq: int
    entry: EntryView
    entries: tuple[EntryView, ...]
    news: tuple[Any, ...]
    to_act: tuple[int, ...]
    result: Outcome | None
    choice: ChoiceView | None
    receipt: Receipt


@dataclass(frozen=True)
class LogPage:
    """Entries in order. `next_after` is null if there are no more yet."""

    items: tuple[EntryView, ...]
    next_after: int | None


@dataclass(frozen=True)
class ActionCheck:
    """Whether an action would be accepted now. If so, `offer` is the action in full, also where you
    stated it in words. If not, `code` names the rule or the problem that prevents it. Nothing was
    appended."""

    is_legal: bool
    code: str | None
    detail: str | None
    pointer: str | None
    offer: Offer | None


@dataclass(frozen=True)
class StateView:
    """The view of a seat, or of an onlooker, after an entry. Seen as `everything`, it is the view
    of an onlooker, and `views` has those of all seats."""

    game: str
    seq: int
    hash: str
    seen_as: str
    view: Any
    views: tuple[Any, ...] | None


@dataclass(frozen=True)
class Proof:
    """The commitment and the signed heads of a game; once the game is over, also the secret that
    opens everything. Of an imported game, `key` and `heads` are those of its own server."""

    game: str
    commitment: str
    level: int
    key: str
    secret: str | None
    heads: tuple[Receipt, ...]


@dataclass(frozen=True)
class ExportVerdict:
    """The verdict on an export. `is_signed`: it is good, and it has the receipts of its server."""

    game: str
    is_good: bool
    is_signed: bool
    detail: str
    entries: int
    level: int
    seq: int | None
    line: int | None
