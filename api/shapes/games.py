"""Games: as they are asked for, and as the caller sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from games.engines.common.codec import Between
from games.projection.table_actions import Clock, Origin, Outcome

SeatOrSeq = Annotated[int, Between(0, 2**31 - 1)]  # a seat or an entry that may be there
Visibility = Literal["public", "private"]
ListingVisibility = Literal["public", "private", "unlisted"]
Phase = Literal["gathering", "playing", "over"]


@dataclass(frozen=True)
class NewSeat:
    """Who is to sit on a seat: you, a bot, whoever joins first, or whoever is invited."""

    kind: Literal["me", "bot", "open", "invite"]
    bot: str | None = None
    seed_hash: str | None = None


@dataclass(frozen=True)
class NewGame:
    """A game that is wanted, its seats in clockwise order."""

    rules: str
    seats: tuple[NewSeat, ...]
    options: Any = None
    visibility: Visibility = "public"
    clock: Clock | None = None
    rated: bool = False


@dataclass(frozen=True)
class NewFork:
    """A position to play on from. Of a game that is over: all of it (`seat` null); of one that goes
    on: what one of your seats knew. `visibility` null is that of the game, but a fork of what one
    seat knew is always private, as are all forks of a private game."""

    seq: SeatOrSeq
    seats: tuple[NewSeat, ...]
    seat: SeatOrSeq | None = None
    visibility: Literal["private"] | None = None


@dataclass(frozen=True)
class JoinRequest:
    """A free seat to take; one that is kept for somebody needs the invitation."""

    seat: SeatOrSeq
    seed_hash: str | None = None
    invitation: str | None = None


@dataclass(frozen=True)
class SeatOnly:
    """One of your seats."""

    seat: SeatOrSeq


@dataclass(frozen=True)
class SeedReveal:
    """The seed of a seat, whose hash was given on joining."""

    seat: SeatOrSeq
    seed: str


@dataclass(frozen=True)
class NewBot:
    """A bot for a free seat, or for one that you play."""

    seat: SeatOrSeq
    bot: str


@dataclass(frozen=True)
class FillRequest:
    """Start now: this bot takes every seat that is still free."""

    fill_with: str = "greedy"


@dataclass(frozen=True)
class NewInvitation:
    """A free seat to be kept for whoever shows the invitation."""

    seat: SeatOrSeq


@dataclass(frozen=True)
class MadeInvitation:
    """An invitation; `secret` is told only this once."""

    game: str
    seat: int
    secret: str


@dataclass(frozen=True)
class SeatView:
    """A seat as the caller sees it."""

    seat: int
    kind: Literal["open", "invite", "account", "bot"]
    bot: str | None
    name: str | None
    is_you: bool
    is_awaited: bool
    has_resigned: bool
    seed: Literal["none", "promised", "open"]


@dataclass(frozen=True)
class Offer:
    """A legal action, ready to be sent back, and what it is in words."""

    action: Any
    label: str


@dataclass(frozen=True)
class ChoiceView:
    """What a seat may do now. Send `token` as `choice`, and one of the actions."""

    token: str
    seat: int
    is_awaited: bool
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class GameLinks:
    """Where the rest of a game is."""

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
    """Where a game was played that came from another server: the key of that server; and when it
    came, null if that was not recorded."""

    key: str
    at: str | None


@dataclass(frozen=True)
class GameSummary:
    """A game in a list."""

    id: str
    rules: str
    version: int
    visibility: ListingVisibility
    rated: bool
    phase: Phase
    seq: int
    at: str
    to_act: tuple[int, ...]
    deadline: str | None
    your_seats: tuple[int, ...]
    imported: ImportInfo | None
    links: GameLinks


@dataclass(frozen=True)
class GameView:
    """A game as the caller sees it."""

    id: str
    rules: str
    version: int
    visibility: ListingVisibility
    rated: bool
    phase: Phase
    options: Any
    clock: Clock | None
    origin: Origin | None
    imported: ImportInfo | None
    fairness_level: int
    commitment: str
    seq: int
    hash: str
    at: str
    seats: tuple[SeatView, ...]
    your_seats: tuple[int, ...]
    to_act: tuple[int, ...]
    deadline: str | None
    result: Outcome | None
    view: Any
    choice: ChoiceView | None
    links: GameLinks


@dataclass(frozen=True)
class GameList:
    """A page of games, the newest first."""

    items: tuple[GameSummary, ...]
    next_cursor: str | None
