"""Shapes of games: dataclasses of requests about them, and of games as the caller sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from api.shapes.forms import ActionType, ChoiceToken, Colour, InvitationSecret, Link
from tabularium_engines.common.consequences import Offer
from tabularium_engines.common.json_codec import Between
from tabularium_log.forms import (
    AccountId,
    Count,
    FairnessLevel,
    GameId,
    Positive,
    SeatIndex,
    Seed,
    Seq,
    Sha256,
    Slug,
    Time,
)
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

MAX_VERSION = 2**15 - 1  # of a ruleset, in its column
SeatOrSeq = Annotated[int, Between(0, 2**31 - 1)]  # not checked against a game
Visibility = Literal["public", "private"]
ListingVisibility = Literal["public", "private", "unlisted"]
Phase = Literal["gathering", "playing", "over"]


DEFAULT_CLOCK = Clock(3 * DAY_MS)  # of tables at which other people can sit


@dataclass(frozen=True)
class NewSeat:
    """The player for a seat: you (`me`), a bot, the first to join (`open`), the holder of an
    invitation (`invite`), or an `account` that is challenged."""

    kind: Literal["me", "bot", "open", "invite", "account"]  #: Who is to play.
    bot: str | None = None  #: The name of the bot, if the kind is `bot`.
    #: The SHA-256 of "tabularium/seed/1" and the seed; null: no seed.
    seed_hash: Sha256 | None = None
    account: AccountId | None = None  #: The id of the account, if the kind is `account`.


@dataclass(frozen=True)
class NewGame:
    """A request for a new game, with its seats in clockwise order. With `version` null, it begins
    under the newest version of its rules. Without `clock`, a table with open or reserved seats has
    one of three days, after which a bot plays on, and other tables have none; with null, none."""

    rules: Slug
    seats: tuple[NewSeat, ...]  #: The seats, clockwise.
    options: Any = None  #: The options; null: the default ones.
    visibility: Visibility = "public"  #: Who may see the game.
    clock: Clock | None = DEFAULT_CLOCK  #: The clock of the game; null if it has none.
    rated: bool = False  #: Whether the result counts for the ratings.
    hints: bool = False  #: Whether players may take hints though other people play.
    #: The version of the rules; null: the newest.
    version: Annotated[int, Between(1, MAX_VERSION)] | None = None


@dataclass(frozen=True)
class NewFork:
    """A position to fork. In a game that is over: the full position (`seat` null); in one that goes
    on: the view of one of your seats. With `visibility` null, the fork is as visible as the game;
    but forks of a seat's view, and all forks of a private game, are private."""

    seq: SeatOrSeq  #: The entry after which the fork begins.
    seats: tuple[NewSeat, ...]  #: The seats, clockwise.
    #: The seat whose view is forked; null: all, of a game that is over.
    seat: SeatOrSeq | None = None
    visibility: Literal["private"] | None = None  #: `private`, or null: as visible as the game.


@dataclass(frozen=True)
class JoinRequest:
    """A free seat to take. One that is reserved by an invitation needs its `invitation`; one that
    is kept for an account is for this account alone."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    #: The SHA-256 of "tabularium/seed/1" and the seed; null: no seed.
    seed_hash: Sha256 | None = None
    invitation: str | None = None  #: The secret of the invitation, if the seat is reserved.


@dataclass(frozen=True)
class SeatOnly:
    """A seat of the game."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.


@dataclass(frozen=True)
class SeedReveal:
    """The seed of a seat, whose hash was given on joining."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    seed: Seed  #: A seed: 16 to 64 bytes in lower-case hexadecimal digits.


@dataclass(frozen=True)
class NewProposal:
    """A proposal of your seat: a draw, the end without a result, a takeback or a pause. A takeback
    names the entry `to` return to: the one before the first of your last actions that is to go."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    of: Agreement  #: The matter of the proposal.
    to: EntryNumber | None = None  #: The entry to return to, in a takeback; else null.


@dataclass(frozen=True)
class NewClaim:
    """A claim of your seat that the player of the seat `absent` has left: `then` a bot plays on, or
    that seat resigns."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    absent: SeatNumber  #: The seat whose player has left.
    then: ClaimConsequence = "bot"  #: Whether a bot plays on for the seat, or it resigns.


@dataclass(frozen=True)
class NewBot:
    """A bot for a free seat, or for one that you play."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.
    bot: str  #: The name of the bot.


@dataclass(frozen=True)
class FillRequest:
    """A request to start now: the bot `fill_with` takes every free seat."""

    fill_with: str = "greedy"  #: The bot that takes every free seat.


@dataclass(frozen=True)
class NewInvitation:
    """A free seat to reserve for the holder of the invitation."""

    seat: SeatOrSeq  #: The number of a seat, clockwise from 0.


@dataclass(frozen=True)
class MadeInvitation:
    """An invitation. `secret` is returned only this once."""

    game: GameId
    seat: SeatIndex
    secret: InvitationSecret  #: The invitation, shown only this once.


SeatKind = Literal["open", "invite", "challenge", "declined", "account", "bot"]


@dataclass(frozen=True)
class ListedSeat:
    """A seat of a listed game. One that is kept for an account is a `challenge`, and `declined`
    after that account has declined it: only this account and the game's creator see its
    `account`."""

    seat: SeatIndex
    kind: SeatKind  #: Who plays, or may.
    #: The id of the account on this seat, also where a bot plays on, or for which it is kept.
    account: AccountId | None
    bot: str | None  #: The name of a bot, as listed by `GET /api/v1/bots`; null if it is no bot.
    name: str | None  #: The name of its account; null if there is none.
    is_deleted: bool  #: Whether the account that played here was deleted.
    is_you: bool  #: Whether it is you.


@dataclass(frozen=True)
class SeatView(ListedSeat):
    """A seat as the caller sees it."""

    is_awaited: bool  #: Whether the game waits for this seat.
    has_resigned: bool  #: Whether its player has resigned.
    #: Whether its player has promised a seed, and opened it.
    seed: Literal["none", "promised", "open"]
    title: str  #: Its title in the game, as news and pictures name it.
    hue: Colour  #: Its colour in pictures.


@dataclass(frozen=True)
class FormView:
    """A form in which you may state an action in words: an action of this `type` whose `member`
    holds them. `check_action` tells how they are understood."""

    type: ActionType  #: The `type` of the action.
    member: str  #: The member that takes the words.
    title: str  #: The request for them.


@dataclass(frozen=True)
class ChoiceView:
    """The legal actions of a seat now. Send `token` as `choice`, with one of the actions. Where the
    options ask players to find actions by themselves, those are legal too, but not offered."""

    token: ChoiceToken  #: The token of this choice: send it as `choice`.
    seat: SeatIndex
    is_awaited: bool  #: Whether the game waits for this seat.
    offers: tuple[Offer, ...]  #: The legal actions, each ready to be sent.
    #: The forms in which you may state an action in words; mostly none.
    forms: tuple[FormView, ...]


@dataclass(frozen=True)
class GameLinks:
    """Links to the parts of a game."""

    self: Link  #: The resource itself.
    rules: Link  #: The ruleset.
    choice: Link  #: The choice that is open for you.
    actions: Link  #: Send your actions here.
    log: Link  #: The log.
    stream: Link  #: The stream of entries (server-sent events).
    picture: Link  #: A picture, as SVG.
    export: Link  #: The export of the whole log.
    proof: Link  #: The commitment and the signed heads.


@dataclass(frozen=True)
class ImportInfo:
    """The origin of an imported game: the `key` of the server that it was played on. `at` is the
    time of the import, null if it was not recorded."""

    key: Sha256  #: The Ed25519 public key that signs, in hexadecimal digits.
    at: Time | None  #: The time of the import; null if it was not recorded.


@dataclass(frozen=True)
class ProposalView:
    """An open proposal: the entry that made it, its seat, what it proposes (a takeback, the return
    to the entry `to`), the seats that have accepted it, the proposer's own among them, and those
    that are asked and have not answered."""

    seq: Seq
    seat: SeatIndex
    of: Agreement  #: The matter of the proposal.
    to: Count | None  #: The entry to return to, in a takeback; else null.
    accepted: tuple[int, ...]  #: The seats that have accepted.
    asked: tuple[int, ...]  #: The seats that the open proposal asks, and that have not answered.


@dataclass(frozen=True)
class GameSummary:
    """A game in a list. `at` is the time of its last entry, `updated` that of its last change
    here: of an imported game, the import. `first` is the entry that deals or, in a fork, sets the
    position up: from there on it has states and pictures. It is null until the game starts.
    `expires` is the time at which the game ends without a result unless something happens."""

    id: GameId
    rules: Slug
    version: Positive  #: The version of the rules.
    visibility: ListingVisibility  #: Who may see the game.
    rated: bool  #: Whether the result counts for the ratings.
    phase: Phase  #: Whether seats are still open, the game is on, or over.
    options: Any  #: The options of the game, as the schema of the ruleset describes them.
    clock: Clock | None  #: The clock of the game; null if it has none.
    seats: tuple[ListedSeat, ...]  #: The seats, clockwise.
    open_seats: tuple[int, ...]  #: The seats that the first to join may take.
    your_seats: tuple[int, ...]  #: The seats that you play.
    seq: Seq
    first: Positive | None  #: The entry with which the game starts; null before.
    at: Time  #: The time of the last entry.
    updated: Time  #: The time of the last change here: the last entry, or the import.
    to_act: tuple[int, ...]  #: The seats for which the game waits.
    deadline: Time | None  #: The time until which the action or the result is due; null if none is.
    #: When the game ends without a result unless something happens; null where a clock runs.
    expires: Time | None
    paused_since: Time | None  #: The time since which the game is paused; null if it is not.
    proposal: ProposalView | None  #: The open proposal; null if there is none.
    ending: Ending | None  #: How the game came to its end: see `docs/tables.md`; null before.
    result: Outcome | None  #: The result; null before the end, and of a game that was called off.
    imported: ImportInfo | None  #: Where the game was imported from; null if it was played here.
    links: GameLinks  #: Its links.


@dataclass(frozen=True)
class GameView:
    """A game as the caller sees it; `at`, `updated` and `first` as in lists. `takebacks` are the
    entries to which your seat can propose to return. `expires` is the time at which the game ends
    without a result unless something happens before. The reply that creates a game has in
    `invitations` those to its seats of the kind `invite`."""

    id: GameId
    rules: Slug
    version: Positive  #: The version of the rules.
    visibility: ListingVisibility  #: Who may see the game.
    rated: bool  #: Whether the result counts for the ratings.
    phase: Phase  #: Whether seats are still open, the game is on, or over.
    options: Any  #: The options of the game, as the schema of the ruleset describes them.
    clock: Clock | None  #: The clock of the game; null if it has none.
    hints: bool  #: Whether players may take hints though other people play.
    rematch: GameId | None  #: The game after which the same players meet again; or null.
    next: GameId | None  #: The game in which the same players meet again, its rematch; or null.
    origin: Origin | None  #: The position from which the game was forked; null if it was not.
    imported: ImportInfo | None  #: Where the game was imported from; null if it was played here.
    #: Who chose the chance: 1, the server; 2, the server and all players.
    fairness_level: FairnessLevel
    commitment: Sha256  #: The SHA-256 to which the server committed before the first seed.
    seq: Seq
    first: Positive | None  #: The entry with which the game starts; null before.
    hash: Sha256  #: The SHA-256 of the last entry, which covers all entries before it.
    at: Time  #: The time of the last entry.
    updated: Time  #: The time of the last change here: the last entry, or the import.
    seats: tuple[SeatView, ...]  #: The seats, clockwise.
    open_seats: tuple[int, ...]  #: The seats that the first to join may take.
    your_seats: tuple[int, ...]  #: The seats that you play.
    to_act: tuple[int, ...]  #: The seats for which the game waits.
    deadline: Time | None  #: The time until which the action or the result is due; null if none is.
    #: When the game ends without a result unless something happens; null where a clock runs.
    expires: Time | None
    paused_since: Time | None  #: The time since which the game is paused; null if it is not.
    proposal: ProposalView | None  #: The open proposal; null if there is none.
    takebacks: tuple[int, ...]  #: The entries to which your seat can propose to return.
    ending: Ending | None  #: How the game came to its end: see `docs/tables.md`; null before.
    result: Outcome | None  #: The result; null before the end, and of a game that was called off.
    view: Any  #: The view, as the schema of the ruleset describes it.
    choice: ChoiceView | None  #: The choice that is open now; null if none is.
    links: GameLinks  #: Its links.
    invitations: tuple[MadeInvitation, ...]  #: The invitations, each shown only this once.


@dataclass(frozen=True)
class GameList:
    """A page of games. Games that change move to the beginning of the order `recent`, out of the
    pages to come: if any has changed since the first page, `changed_since` is the time to send as
    `since` for all of them."""

    items: tuple[GameSummary, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.
    #: The time to send as `since` for the games that have changed meanwhile; null if none has.
    changed_since: Time | None
