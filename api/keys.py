"""API keys: creation, lookup, rotation and expiry. Secrets are shown once, and stored as hashes."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import ClassVar, Final, NamedTuple

from django.utils import timezone

from api.models import Handover, Key
from api.process_board import Topic, board, news
from games.logging_throttle import OncePerSecondFilter
from games.selectors import Account
from games.write_health import WRITE_ERRORS

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())

KEY_PREFIX: Final = "tab"
MANAGE_KEYS_SCOPE: Final = "keys:manage"
ALL_SCOPES: Final = (
    "games:read",
    "games:play",
    "games:create",
    "webhooks:manage",
    MANAGE_KEYS_SCOPE,
)
# Seconds for which a process trusts a key without reading it again. A revoked key stops
# working within five seconds, also in streams, which check it again at intervals.
KEY_CACHE_SECONDS: Final = 2.0
MAX_CACHED_KEYS: Final = 10_000
MAX_RENEWED_KEYS: Final = 500  # by one statement
LAST_USE_WRITE_INTERVAL: Final = timedelta(minutes=1)  # between two updates of `last_used`


class Caller(NamedTuple):
    """The caller: its account and key, with the scopes and the expiry of the key."""

    account: str
    key: str
    scopes: frozenset[str]
    expires: datetime | None

    @property
    def is_authenticated(self) -> bool:
        """The flag by which DRF recognizes an authenticated user."""
        return True


class StaleKey(Exception):
    """A key in memory that has to be read again."""


class RefusedKey(Exception):
    """A key that exists, and is refused with this code."""

    code: ClassVar[str]

    def __init__(self, account: str, sentence: str) -> None:
        super().__init__(sentence)
        self.account = account


class ExpiredKey(RefusedKey):
    """The key has expired."""

    code = "unauthorized"

    def __init__(self, account: str) -> None:
        super().__init__(account, "This key has expired.")


class BannedAccount(RefusedKey):
    """The account of the key is banned."""

    code = "account-banned"

    def __init__(self, account: str, reason: str) -> None:
        super().__init__(account, f"This account is banned: {reason}")


def create_key(
    account: Account,
    name: str,
    scopes: Iterable[str],
    expires: datetime | None,
    parent: Key | None = None,
) -> tuple[Key, str]:
    """Create a key; return it with its secret, which is available only now."""
    secret = f"{KEY_PREFIX}_{secrets.token_hex(8)}_{secrets.token_hex(32)}"
    scope_list = " ".join(dict.fromkeys(scopes))
    key = Key.objects.create(
        account=account,
        name=name,
        digest=_key_digest(secret),
        scopes=scope_list,
        expires=expires,
        parent=parent,
    )
    return key, secret


def rotate_key(key: Key, overlap: timedelta) -> tuple[Key, str]:
    """Replace a key: the old one stays valid for the overlap only. A predecessor of the old key is
    deleted, as is its one-time code, and the children of the old key move to the new one."""
    expires, overlap_end = key.expires, timezone.now() + overlap
    Key.objects.filter(successor=key).delete()
    Handover.objects.filter(key=key).delete()
    successor, secret = create_key(key.account, key.name, key.scopes.split(), expires, key.parent)
    key.children.update(parent=successor)
    if overlap:
        key.successor, key.expires = (
            successor,
            overlap_end if expires is None else min(expires, overlap_end),
        )
        key.save(update_fields=["successor", "expires"])
    else:
        key.delete()
    return successor, secret


def delete_expired_keys(account: Account) -> None:
    """Delete an account's expired keys, so that they do not count towards its quota."""
    Key.objects.filter(account=account, expires__lte=timezone.now()).delete()


class KeyCache:
    """The recently used keys. They are forgotten when a web process of this machine has revoked
    one, and reloaded after seconds, as another program or machine may have done so."""

    def __init__(self) -> None:
        self._callers: dict[str, tuple[float, Caller]] = {}
        self._used: set[str] = set()  # on the event loop, since they were last renewed
        self._lock = Lock()
        self._generation = 0  # counts clears: a lookup begun before one is not cached after it
        self._seen_news = b""

    def find_caller(self, secret: str) -> Caller | None:
        """The caller with this key; None if there is no such key (any more). Raises RefusedKey."""
        if news(Topic.KEYS) != self._seen_news:
            self._forget_all()
        digest, now = _key_digest(secret), monotonic()
        cached = self._callers.get(digest)
        if cached is not None and now - cached[0] < KEY_CACHE_SECONDS:
            caller: Caller | None = cached[1]
        else:
            caller = self._load(digest, now)
        if caller is not None and caller.expires is not None and caller.expires <= timezone.now():
            raise ExpiredKey(caller.account)
        return caller

    def cached_caller(self, secret: str) -> Caller | None:
        """The caller with this key, if it is in memory and may be trusted; asks no database. Raises
        StaleKey if `renew` may make it so again."""
        digest = _key_digest(secret)
        cached = self._callers.get(digest)
        if cached is None:
            return None
        loaded_at, caller = cached
        self._used.add(digest)
        if monotonic() - loaded_at >= KEY_CACHE_SECONDS:
            raise StaleKey
        is_expired = caller.expires is not None and caller.expires <= timezone.now()
        return None if is_expired else caller

    def renew(self) -> None:
        """Read the keys that are stale or soon will be again, of those in use, by one statement."""
        used, self._used = self._used, set()
        generation, now = self._generation, monotonic()
        ages = {digest: now - cached[0] for digest in used if (cached := self._callers.get(digest))}
        aged = [digest for digest, age in ages.items() if age > KEY_CACHE_SECONDS / 2]
        oldest = sorted(aged, key=ages.__getitem__, reverse=True)[:MAX_RENEWED_KEYS]
        callers = _load_callers(oldest)
        with self._lock:
            for digest in oldest:
                self._callers.pop(digest, None)
            if generation == self._generation:
                self._callers |= {digest: (now, caller) for digest, caller in callers.items()}

    def _load(self, digest: str, now: float) -> Caller | None:
        """Read a key from the database, and cache it."""
        generation = self._generation
        caller = _load_caller(digest)
        with self._lock:
            if len(self._callers) >= MAX_CACHED_KEYS:
                self._callers.clear()
            if caller is None:
                self._callers.pop(digest, None)
            elif generation == self._generation:
                self._callers[digest] = (now, caller)
        return caller

    def clear(self) -> None:
        """Forget all keys, including those being looked up now, here and in the other processes."""
        board().announce(Topic.KEYS)
        self._forget_all()

    def _forget_all(self) -> None:
        with self._lock:
            self._generation += 1
            self._seen_news = news(Topic.KEYS)
            self._callers.clear()


key_cache = KeyCache()


def _load_caller(digest: str) -> Caller | None:
    key = Key.objects.select_related("account").filter(digest=digest).first()
    if key is None:
        return None
    if key.account.banned is not None:
        raise BannedAccount(key.account_id, key.account.ban_reason)
    _note_use([key])
    return _caller_of(key)


def _load_callers(digests: Sequence[str]) -> dict[str, Caller]:
    """The callers with these keys; those that are refused, or gone, are left out."""
    keys = Key.objects.select_related("account").filter(digest__in=digests) if digests else []
    accepted = [key for key in keys if key.account.banned is None]
    _note_use(accepted)
    return {key.digest: _caller_of(key) for key in accepted}


def _caller_of(key: Key) -> Caller:
    return Caller(key.account_id, key.pk, frozenset(key.scopes.split()), key.expires)


def _note_use(keys: Sequence[Key]) -> None:
    """Store that these keys were used now. Where nothing can be written, such as on a full disk,
    clients may still read."""
    now = timezone.now()
    before = now - LAST_USE_WRITE_INTERVAL
    due = [key.pk for key in keys if key.last_used is None or key.last_used < before]
    try:
        if due:
            Key.objects.filter(pk__in=due).update(last_used=now)
    except WRITE_ERRORS as problem:
        logger.warning("The last use of a key could not be stored: %s", problem)


def _key_digest(secret: str) -> str:
    """The SHA-256 of a key: with 256 random bits, a slow hash would be no safer."""
    return sha256(secret.encode()).hexdigest()
