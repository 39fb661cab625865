"""Actions, entries and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.shapes.games import ChoiceView, SeatOrSeq
from games.fairness.receipts import Receipt
from games.projection.table_actions import Outcome


@dataclass(frozen=True)
class NewActions:
    """What a seat does: an action, or several, which are appended all or none. `choice` is the
    token of the decision it answers; or `expected_seq` says the last entry you have seen."""

    seat: SeatOrSeq
    action: Any = None
    actions: tuple[Any, ...] | None = None
    choice: str | None = None
    expected_seq: SeatOrSeq | None = None


@dataclass(frozen=True)
class NewActionCheck(NewActions):
    """What a seat would do, as in `NewActions`; but an action may be any document, since the reply
    tells what is wrong with it."""


@dataclass(frozen=True)
class EntryView:
    """An entry as you may read it. `public` is what everybody may read: in canonical form (RFC
    8785) it is what `hash` is made of; `action` has what you may read beyond it."""

    seq: int
    seat: int | None
    at: str
    action: Any
    opened: Any
    news: tuple[Any, ...]
    hash: str
    public: Any


@dataclass(frozen=True)
class ActionResult:
    """What has become of your action: its (last) entry, and what is open now."""

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
    """Entries in order; `next_after` is null when there are no more yet."""

    items: tuple[EntryView, ...]
    next_after: int | None


@dataclass(frozen=True)
class ActionCheck:
    """Whether an action would be accepted now, or which rule forbids it. Nothing was appended."""

    is_legal: bool
    code: str | None
    detail: str | None
    pointer: str | None


@dataclass(frozen=True)
class StateView:
    """What one could know of a game after an entry."""

    game: str
    seq: int
    hash: str
    seen_as: str
    view: Any


@dataclass(frozen=True)
class Proof:
    """What the server has bound itself to; once the game is over, the secret that opens all. Of a
    game that was played elsewhere, `key` and `heads` are those of its own server."""

    game: str
    commitment: str
    level: int
    key: str
    secret: str | None
    heads: tuple[Receipt, ...]


@dataclass(frozen=True)
class ExportVerdict:
    """What is to be said of an export. `is_signed`: it is good, and the receipts of its server
    are there."""

    game: str
    is_good: bool
    is_signed: bool
    detail: str
    entries: int
    level: int
    seq: int | None
    line: int | None
