"""Shapes of accounts, guests and API keys: dataclasses of request bodies and replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from api.shapes.forms import HandoverCode, KeyId, KeySecret, Link, Name, RecoveryCode
from api.shapes.ratings import OwnRating
from tabularium_engines.common.json_codec import Between
from tabularium_log.forms import AccountId, Count, Slug, Time

Scope = Literal["games:read", "games:play", "games:create", "webhooks:manage", "keys:manage"]


@dataclass(frozen=True)
class GuestRequest:
    """A request for a guest account."""

    name: Name = ""  #: The name; empty if none was given.


@dataclass(frozen=True)
class Me:
    """The account that a key belongs to, with its ratings."""

    id: AccountId
    name: str  #: The name; empty if none was given.
    created: Time  #: The time of creation.
    ratings: tuple[OwnRating, ...]  #: Your rating in each ruleset.


@dataclass(frozen=True)
class GameCounts:
    """The numbers of an account's public games in a ruleset, by phase."""

    rules: Slug
    gathering: Count  #: The number of games that have not started.
    playing: Count  #: The number of games that are on.
    over: Count  #: The number of games that are over.


@dataclass(frozen=True)
class PlayerLinks:
    """Links of a player: `games` lists the games in which it has a seat, of those that the caller
    may see."""

    self: Link  #: The resource itself.
    games: Link  #: The games in which it has a seat.


@dataclass(frozen=True)
class AccountProfile:
    """An account as all clients see it: its ratings, and the numbers of its public games."""

    id: AccountId
    name: str  #: The name; empty if none was given.
    created: Time  #: The time of creation.
    ratings: tuple[OwnRating, ...]  #: Its rating in each ruleset.
    games: tuple[GameCounts, ...]  #: The numbers of its public games, by ruleset.
    links: PlayerLinks  #: Its links.


@dataclass(frozen=True)
class NamedAccount:
    """An account that has the name."""

    id: AccountId
    name: str  #: The name; empty if none was given.
    created: Time  #: The time of creation.
    links: PlayerLinks  #: Its links.


@dataclass(frozen=True)
class AccountList:
    """A page of accounts, newest first."""

    items: tuple[NamedAccount, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


@dataclass(frozen=True)
class NewKey:
    """A request for a key. Without `expires`, it expires with the key that creates it."""

    name: Name = ""  #: The name; empty if none was given.
    #: The scopes of the key.
    scopes: tuple[Scope, ...] = ("games:read", "games:play", "games:create", "webhooks:manage")
    expires: Time | None = None  #: The time of expiry; null if it does not expire.


@dataclass(frozen=True)
class KeyView:
    """A key, without its secret."""

    id: KeyId  #: The id of the key.
    name: str  #: The name; empty if none was given.
    scopes: tuple[str, ...]  #: The scopes of the key.
    created: Time  #: The time of creation.
    expires: Time | None  #: The time of expiry; null if it does not expire.
    last_used: Time | None  #: The time of the last use; null before the first.


@dataclass(frozen=True)
class MadeKey:
    """A new key. `secret` is returned only this once: send it as `Authorization: Bearer …`."""

    secret: KeySecret  #: The key: send it as `Authorization: Bearer …`.
    key: KeyView  #: The key, without its secret.


@dataclass(frozen=True)
class Guest:
    """A new account, with a key that has all scopes. `secret` is returned only this once."""

    account: Me  #: The new account.
    secret: KeySecret  #: The key: send it as `Authorization: Bearer …`.
    key: KeyView  #: The key, without its secret.


@dataclass(frozen=True)
class KeyList:
    """All keys of an account."""

    items: tuple[KeyView, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


@dataclass(frozen=True)
class Rotation:
    """A request to replace a key. The old key stays valid for `overlap_ms`."""

    #: How long the old key stays valid, in milliseconds.
    overlap_ms: Annotated[int, Between(0, 30 * 24 * 3600 * 1000)] = 24 * 3600 * 1000


@dataclass(frozen=True)
class NewHandover:
    """A request for a one-time code. If `keeps_key` is false, the calling key ends when the code is
    redeemed; otherwise it is the key that has created the new one."""

    keeps_key: bool = True  #: Whether the calling key stays valid.


@dataclass(frozen=True)
class MadeHandover:
    """A one-time code, shown only this once: type it into the other device before it expires."""

    code: HandoverCode  #: The code.
    expires: Time  #: The time until which the code is valid.


@dataclass(frozen=True)
class MadeRecoveryCodes:
    """New recovery codes, shown only this once: print them, and keep them where you keep no key."""

    codes: tuple[RecoveryCode, ...]  #: The codes.
    created: Time  #: The time at which they were made.


@dataclass(frozen=True)
class Recovery:
    """A use of a recovery code, and the key that came of it."""

    at: Time  #: The time at which the code was redeemed.
    key: KeyId  #: The id of the key that came of it.


@dataclass(frozen=True)
class RecoveryCodes:
    """The recovery codes of an account: when they were made, null if there are none, how many can
    be redeemed, and the uses of the others."""

    created: Time | None  #: The time at which they were made; null if there are none.
    left: int  #: The number of codes that can be redeemed.
    used: tuple[Recovery, ...]  #: The uses of the other codes, oldest first.


@dataclass(frozen=True)
class Redemption:
    """A one-time code to redeem, in either case, with or without its dashes; and a name for the new
    key."""

    code: str  #: The code, as it was shown on the other device or is printed.
    name: str = ""  #: The name; empty if none was given.


@dataclass(frozen=True)
class Deletion:
    """The confirmation that an account is to be deleted: the id of your own account."""

    account: AccountId  #: The `id` of your account, as `GET /api/v1/me` shows it.


@dataclass(frozen=True)
class Rename:
    """A new name for an account."""

    name: Name  #: The name; empty if none was given.
