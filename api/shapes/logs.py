"""Shapes of logs: dataclasses of actions, entries, positions and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.shapes.forms import ChoiceToken, GameIdOrEmpty, MemberCode, Pointer, Viewer
from api.shapes.games import ChoiceView, SeatOrSeq
from tabularium_engines.common.consequences import Offer
from tabularium_log.fairness.signed_hash_chain import Receipt
from tabularium_log.forms import (
    Count,
    FairnessLevel,
    GameId,
    Positive,
    SeatIndex,
    Seq,
    Sha256,
    Time,
)
from tabularium_log.projection.table_actions import Outcome


@dataclass(frozen=True)
class NewActions:
    """One action of a seat, or several that are appended all or none. `choice` is the token of the
    choice that they answer; alternatively, `expected_seq` is the last entry you have seen."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    action: Any = None  #: An action, as the schema of the ruleset's actions describes it.
    actions: tuple[Any, ...] | None = None  #: Several actions, in order.
    choice: ChoiceToken | None = None  #: The token of the choice that the actions answer.
    expected_seq: SeatOrSeq | None = None  #: The number of the last entry that you have seen.


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

    seq: Seq
    seat: SeatIndex | None
    at: Time  #: The time at which the entry was appended.
    action: Any  #: An action, as the schema of the ruleset's actions describes it.
    opened: Any  #: The hidden fields that you may read; null if there are none.
    #: The news, as you may read them; null without the rules of the game.
    news: tuple[Any, ...] | None
    hash: Sha256  #: The SHA-256 of the last entry, which covers all entries before it.
    public: Any  #: The part of the entry that is open to all, which `hash` covers.


@dataclass(frozen=True)
class ActionResult:
    """The result of your action: its entries, and your choice now. `entry` is the last of them:
    where the action ends the game, that is `table.end`."""

    seq: Seq
    entry: EntryView  #: The last of the entries.
    entries: tuple[EntryView, ...]  #: The entries, in order.
    news: tuple[Any, ...]  #: The news, as you may read them; null without the rules of the game.
    to_act: tuple[int, ...]  #: The seats for which the game waits.
    result: Outcome | None  #: The result; null before the end, and of a game that was called off.
    choice: ChoiceView | None  #: The choice that is open now; null if none is.
    receipt: Receipt  #: The server's signature of the log with this entry.


@dataclass(frozen=True)
class LogPage:
    """Entries in order. `next_after` is null if there are no more yet."""

    items: tuple[EntryView, ...]  #: The items of this page.
    next_after: int | None  #: The `after` of the next page; null if there are no more entries yet.


@dataclass(frozen=True)
class ActionCheck:
    """Whether an action would be accepted now. If so, `offer` is the action in full, also where you
    stated it in words. If not, `code` names the rule or the problem that prevents it. Nothing was
    appended."""

    is_legal: bool  #: Whether the action would be accepted now.
    code: MemberCode | None  #: A stable code, for programs.
    detail: str | None  #: A sentence for people, in English.
    pointer: Pointer | None  #: The place of the error in the body (RFC 6901).
    offer: Offer | None  #: The action as it is understood; null if it is not legal.


@dataclass(frozen=True)
class StateView:
    """The view of a seat, or of an onlooker, after an entry. Seen as `everything`, it is the view
    of an onlooker, and `views` has those of all seats."""

    game: GameId
    seq: Seq
    hash: Sha256  #: The SHA-256 of the last entry, which covers all entries before it.
    seen_as: Viewer  #: The viewer: `onlooker`, or `seat:` and its number.
    view: Any  #: The view, as the schema of the ruleset describes it.
    views: tuple[Any, ...] | None  #: The views of all seats; null unless seen as `everything`.


@dataclass(frozen=True)
class Proof:
    """The commitment and the signed heads of a game; once the game is over, also the secret that
    opens everything. Of an imported game, `key` and `heads` are those of its own server."""

    game: GameId
    commitment: Sha256  #: The SHA-256 to which the server committed before the first seed.
    level: FairnessLevel  #: The level of fairness: see `docs/fairness.md`.
    key: Sha256  #: The Ed25519 public key of the server, in hexadecimal digits.
    secret: Sha256 | None  #: The secret that opens the game, once it is over; else null.
    heads: tuple[Receipt, ...]  #: The signed heads of the log, by the last entry that each covers.


@dataclass(frozen=True)
class ExportVerdict:
    """The verdict on an export. `is_signed`: it is good, and it has the receipts of its server."""

    game: GameIdOrEmpty  #: The id of the game; empty if the export names none.
    is_good: bool  #: Whether the log is whole and follows the rules.
    is_signed: bool  #: Whether the export is good, and has the receipts of its server.
    detail: str  #: A sentence for people, in English.
    entries: Count  #: The number of entries.
    level: Count  #: The level of fairness: 0 if it is unknown.
    seq: Seq | None
    line: Positive | None  #: The first line that is bad, from 1; null if none is.
