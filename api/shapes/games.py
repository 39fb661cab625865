"""Shapes of games: dataclasses of requests about them, and of games as the caller sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.json_codec import Between
from tabularium_log.projection.endings import Ending
from tabularium_log.projection.table_actions import (
    DAY_MS,
    Agreement,
    ClaimConsequence,
    Clock,
    EntryNumber,
    Origin,
    Outcome,
    SeatNumber,
)

MAX_VERSION = 2**15 - 1  # of a ruleset: what its column holds
SeatOrSeq = Annotated[int, Between(0, 2**31 - 1)]  # not checked against a game
Visibility = Literal["public", "private"]
ListingVisibility = Literal["public", "private", "unlisted"]
Phase = Literal["gathering", "playing", "over"]


DEFAULT_CLOCK = Clock(3 * DAY_MS)  # of tables at which other people can sit


@dataclass(frozen=True)
class NewSeat:
    """The player for a seat: you (`me`), a bot, the first to join (`open`), the holder of an
    invitation (`invite`), or an `account` that is challenged."""

    kind: Literal["me", "bot", "open", "invite", "account"]
    bot: str | None = None
    seed_hash: str | None = None
    account: str | None = None


@dataclass(frozen=True)
class NewGame:
    """A request for a new game, with its seats in clockwise order. With `version` null, it begins
    under the newest version of its rules. Without `clock`, a table with open or reserved seats has
    one of three days, after which a bot plays on, and other tables have none; with null, none."""

    rules: str
    seats: tuple[NewSeat, ...]
    options: Any = None
    visibility: Visibility = "public"
    clock: Clock | None = DEFAULT_CLOCK
    rated: bool = False
    hints: bool = False
    version: Annotated[int, Between(1, MAX_VERSION)] | None = None


@dataclass(frozen=True)
class NewFork:
    """A position to fork. In a game that is over: the full position (`seat` null); in one that goes
    on: the view of one of your seats. With `visibility` null, the fork is as visible as the game;
    but forks of a seat's view, and all forks of a private game, are private."""

    seq: SeatOrSeq
    seats: tuple[NewSeat, ...]
    seat: SeatOrSeq | None = None
    visibility: Literal["private"] | None = None


@dataclass(frozen=True)
class JoinRequest:
    """A free seat to take. One that is reserved by an invitation needs its `invitation`; one that
    is kept for an account is for this account alone."""

    seat: SeatOrSeq
    seed_hash: str | None = None
    invitation: str | None = None


@dataclass(frozen=True)
class SeatOnly:
    """A seat of the game."""

    seat: SeatOrSeq


@dataclass(frozen=True)
class SeedReveal:
    """The seed of a seat, whose hash was given on joining."""

    seat: SeatOrSeq
    seed: str


@dataclass(frozen=True)
class NewProposal:
    """A proposal of your seat: a draw, the end without a result, a takeback or a pause. A takeback
    names the entry `to` return to: the one before the first of your last actions that is to go."""

    seat: SeatOrSeq
    of: Agreement
    to: EntryNumber | None = None


@dataclass(frozen=True)
class NewClaim:
    """A claim of your seat that the player of the seat `absent` has left: `then` a bot plays on, or
    that seat resigns."""

    seat: SeatOrSeq
    absent: SeatNumber
    then: ClaimConsequence = "bot"


@dataclass(frozen=True)
class NewBot:
    """A bot for a free seat, or for one that you play."""

    seat: SeatOrSeq
    bot: str


@dataclass(frozen=True)
class FillRequest:
    """A request to start now: the bot `fill_with` takes every free seat."""

    fill_with: str = "greedy"


@dataclass(frozen=True)
class NewInvitation:
    """A free seat to reserve for the holder of the invitation."""

    seat: SeatOrSeq


@dataclass(frozen=True)
class MadeInvitation:
    """An invitation. `secret` is returned only this once."""

    game: str
    seat: int
    secret: str


SeatKind = Literal["open", "invite", "challenge", "declined", "account", "bot"]


@dataclass(frozen=True)
class ListedSeat:
    """A seat of a listed game. One that is kept for an account is a `challenge`, and `declined`
    after that account has declined it: only this account and the game's creator see its
    `account`."""

    seat: int
    kind: SeatKind
    account: str | None
    bot: str | None
    name: str | None
    is_deleted: bool
    is_you: bool


@dataclass(frozen=True)
class SeatView(ListedSeat):
    """A seat as the caller sees it."""

    is_awaited: bool
    has_resigned: bool
    seed: Literal["none", "promised", "open"]
    title: str
    hue: str


@dataclass(frozen=True)
class Offer:
    """A legal action, ready to be sent back, its description in words, and its certain
    consequences: `after` is null if you only go on, or nothing is certain."""

    action: Any
    label: str
    after: Consequences | None


@dataclass(frozen=True)
class FormView:
    """A form in which you may state an action in words: an action of this `type` whose `member`
    holds them. `check_action` tells how they are understood."""

    type: str
    member: str
    title: str


@dataclass(frozen=True)
class ChoiceView:
    """The legal actions of a seat now. Send `token` as `choice`, with one of the actions. Where the
    options ask players to find actions by themselves, those are legal too, but not offered."""

    token: str
    seat: int
    is_awaited: bool
    offers: tuple[Offer, ...]
    forms: tuple[FormView, ...]


@dataclass(frozen=True)
class GameLinks:
    """Links to the parts of a game."""

    self: str
    rules: str
    choice: str
    actions: str
    log: str
    stream: str
    picture: str
    export: str
    proof: str


@dataclass(frozen=True)
class ImportInfo:
    """The origin of an imported game: the `key` of the server that it was played on. `at` is the
    time of the import, null if it was not recorded."""

    key: str
    at: str | None


@dataclass(frozen=True)
class ProposalView:
    """An open proposal: the entry that made it, its seat, what it proposes (a takeback, the return
    to the entry `to`), the seats that have accepted it, the proposer's own among them, and those
    that are asked and have not answered."""

    seq: int
    seat: int
    of: Agreement
    to: int | None
    accepted: tuple[int, ...]
    asked: tuple[int, ...]


@dataclass(frozen=True)
class GameSummary:
    """A game in a list. `at` is the time of its last entry, `updated` that of its last change
    here: of an imported game, the import. `first` is the entry that deals or, in a fork, sets the
    position up: from there on it has states and pictures. It is null until the game starts.
    `expires` is the time at which the game ends without a result unless something happens."""

    id: str
    rules: str
    version: int
    visibility: ListingVisibility
    rated: bool
    phase: Phase
    options: Any
    clock: Clock | None
    seats: tuple[ListedSeat, ...]
    open_seats: tuple[int, ...]
    your_seats: tuple[int, ...]
    seq: int
    first: int | None
    at: str
    updated: str
    to_act: tuple[int, ...]
    deadline: str | None
    expires: str | None
    paused_since: str | None
    proposal: ProposalView | None
    ending: Ending | None
    result: Outcome | None
    imported: ImportInfo | None
    links: GameLinks


@dataclass(frozen=True)
class GameView:
    """A game as the caller sees it; `at`, `updated` and `first` as in lists. `takebacks` are the
    entries to which your seat can propose to return. `expires` is the time at which the game ends
    without a result unless something happens before. The reply that creates a game has in
    `invitations` those to its seats of the kind `invite`."""

    id: str
    rules: str
    version: int
    visibility: ListingVisibility
    rated: bool
    phase: Phase
    options: Any
    clock: Clock | None
    hints: bool
    rematch: str | None
    next: str | None
    origin: Origin | None
    imported: ImportInfo | None
    fairness_level: int
    commitment: str
    seq: int
    first: int | None
    hash: str
    at: str
    updated: str
    seats: tuple[SeatView, ...]
    open_seats: tuple[int, ...]
    your_seats: tuple[int, ...]
    to_act: tuple[int, ...]
    deadline: str | None
    expires: str | None
    paused_since: str | None
    proposal: ProposalView | None
    takebacks: tuple[int, ...]
    ending: Ending | None
    result: Outcome | None
    view: Any
    choice: ChoiceView | None
    links: GameLinks
    invitations: tuple[MadeInvitation, ...]


@dataclass(frozen=True)
class GameList:
    """A page of games. Games that change move to the beginning of the order `recent`, out of the
    pages to come: if any has changed since the first page, `changed_since` is the time to send as
    `since` for all of them."""

    items: tuple[GameSummary, ...]
    next_cursor: str | None
    changed_since: str | None
