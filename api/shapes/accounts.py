"""Shapes of accounts, guests and API keys: dataclasses of request bodies and replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from api.shapes.ratings import OwnRating
from tabularium_engines.common.json_codec import Between

Scope = Literal["games:read", "games:play", "games:create", "webhooks:manage", "keys:manage"]


@dataclass(frozen=True)
class GuestRequest:
    """A request for a guest account."""

    name: str = ""


@dataclass(frozen=True)
class Me:
    """The account that a key belongs to, with its ratings."""

    id: str
    name: str
    created: str
    ratings: tuple[OwnRating, ...]


@dataclass(frozen=True)
class GameCounts:
    """The numbers of an account's public games in a ruleset, by phase."""

    rules: str
    gathering: int
    playing: int
    over: int


@dataclass(frozen=True)
class PlayerLinks:
    """Links of a player: `games` lists the games in which it has a seat, of those that the caller
    may see."""

    self: str
    games: str


@dataclass(frozen=True)
class AccountProfile:
    """An account as all clients see it: its ratings, and the numbers of its public games."""

    id: str
    name: str
    created: str
    ratings: tuple[OwnRating, ...]
    games: tuple[GameCounts, ...]
    links: PlayerLinks


@dataclass(frozen=True)
class NamedAccount:
    """An account that has the name."""

    id: str
    name: str
    created: str
    links: PlayerLinks


@dataclass(frozen=True)
class AccountList:
    """A page of accounts, newest first."""

    items: tuple[NamedAccount, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class NewKey:
    """A request for a key. Without `expires`, it expires with the key that creates it."""

    name: str = ""
    scopes: tuple[Scope, ...] = ("games:read", "games:play", "games:create", "webhooks:manage")
    expires: str | None = None


@dataclass(frozen=True)
class KeyView:
    """A key, without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    last_used: str | None


@dataclass(frozen=True)
class MadeKey:
    """A new key. `secret` is returned only this once: send it as `Authorization: Bearer …`."""

    secret: str
    key: KeyView


@dataclass(frozen=True)
class Guest:
    """A new account, with a key that has all scopes. `secret` is returned only this once."""

    account: Me
    secret: str
    key: KeyView


@dataclass(frozen=True)
class KeyList:
    """All keys of an account."""

    items: tuple[KeyView, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class Rotation:
    """A request to replace a key. The old key stays valid for `overlap_ms`."""

    overlap_ms: Annotated[int, Between(0, 30 * 24 * 3600 * 1000)] = 24 * 3600 * 1000


@dataclass(frozen=True)
class NewHandover:
    """A request for a one-time code. If `keeps_key` is false, the calling key ends when the code is
    redeemed; otherwise it is the key that has created the new one."""

    keeps_key: bool = True


@dataclass(frozen=True)
class MadeHandover:
    """A one-time code, shown only this once: type it into the other device before it expires."""

    code: str
    expires: str


@dataclass(frozen=True)
class MadeRecoveryCodes:
    """New recovery codes, shown only this once: print them, and keep them where you keep no key."""

    codes: tuple[str, ...]
    created: str


@dataclass(frozen=True)
class Recovery:
    """A use of a recovery code, and the key that came of it."""

    at: str
    key: str


@dataclass(frozen=True)
class RecoveryCodes:
    """The recovery codes of an account: when they were made, null if there are none, how many can
    be redeemed, and the uses of the others."""

    created: str | None
    left: int
    used: tuple[Recovery, ...]


@dataclass(frozen=True)
class Redemption:
    """A one-time code to redeem, in either case, with or without its dashes; and a name for the new
    key."""

    code: str
    name: str = ""


@dataclass(frozen=True)
class Deletion:
    """The confirmation that an account is to be deleted: the id of your own account."""

    account: str


@dataclass(frozen=True)
class Rename:
    """A new name for an account."""

    name: str
