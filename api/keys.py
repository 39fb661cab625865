"""How is a key made, shown once, found again, and passed on?"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from django.utils import timezone

from api.models import Key
from games.models import Account

PREFIX: Final = "tab"
MANAGE: Final = "keys:manage"
SCOPES: Final = ("games:read", "games:play", "games:create", "webhooks:manage", MANAGE)
# Seconds that a process trusts a key without asking the database again. A key that was revoked
# opens nothing more after five seconds, streams included, which look again every so often.
REMEMBERED: Final = 2.0
MOST_REMEMBERED: Final = 10_000
USES_NOTED: Final = timedelta(minutes=1)  # between two notes of the last use


class Caller(NamedTuple):
    """Who asks, with which key, and what may be done with it."""

    account: str
    key: str
    scopes: frozenset[str]
    expires: datetime | None

    @property
    def is_authenticated(self) -> bool:
        """What DRF asks of everybody who has shown who they are."""
        return True

    @property
    def is_expired(self) -> bool:
        """Is the key too old?"""
        return self.expires is not None and self.expires <= timezone.now()


def key_create(
    account: Account,
    name: str,
    scopes: Iterable[str],
    expires: datetime | None,
    parent: Key | None = None,
) -> tuple[Key, str]:
    """A new key, and the text that opens with it, which is told only now."""
    text = f"{PREFIX}_{secrets.token_hex(8)}_{secrets.token_hex(32)}"
    listed = " ".join(dict.fromkeys(scopes))
    key = Key.objects.create(
        account=account,
        name=name,
        digest=_digest(text),
        scopes=listed,
        expires=expires,
        parent=parent,
    )
    return key, text


def key_rotate(key: Key, overlap: timedelta) -> tuple[Key, str]:
    """A new key in the place of an old one, which is good for so much longer only. What the old one
    replaced is good no more, and the keys that it made are the new one's."""
    lasting, end = key.expires, timezone.now() + overlap
    Key.objects.filter(successor=key).delete()
    fresh, text = key_create(key.account, key.name, key.scopes.split(), lasting, key.parent)
    key.children.update(parent=fresh)
    if overlap:
        key.successor, key.expires = fresh, end if lasting is None else min(lasting, end)
        key.save(update_fields=["successor", "expires"])
    else:
        key.delete()
    return fresh, text


def keys_forget(account: Account) -> None:
    """Drop the keys of an account that have expired: they take no room."""
    Key.objects.filter(account=account, expires__lte=timezone.now()).delete()


class Keyring:
    """The keys seen lately. Another process may have revoked one, so they are looked up again."""

    def __init__(self) -> None:
        self._callers: dict[str, tuple[float, Caller]] = {}
        self._lock = Lock()
        self._forgotten = 0  # how often; what was looked up before is not remembered after it

    def caller(self, text: str) -> Caller | None:
        """Who shows this key; None if there is no such key (any more)."""
        digest, now = _digest(text), monotonic()
        known = self._callers.get(digest)
        if known is not None and now - known[0] < REMEMBERED:
            return known[1]
        forgotten = self._forgotten
        caller = _found(digest)
        with self._lock:
            if len(self._callers) >= MOST_REMEMBERED:
                self._callers.clear()
            if caller is None:
                self._callers.pop(digest, None)
            elif forgotten == self._forgotten:
                self._callers[digest] = (now, caller)
        return caller

    def forget(self) -> None:
        """Look every key up again, also those that are just being looked up."""
        with self._lock:
            self._forgotten += 1
            self._callers.clear()


keyring = Keyring()


def _found(digest: str) -> Caller | None:
    key = Key.objects.filter(digest=digest).first()
    if key is None:
        return None
    now = timezone.now()
    if key.last_used is None or now - key.last_used > USES_NOTED:
        Key.objects.filter(pk=key.pk).update(last_used=now)
    return Caller(key.account_id, key.pk, frozenset(key.scopes.split()), key.expires)


def _digest(text: str) -> str:
    """A key has 256 random bits: a plain hash keeps it as well as a slow one would."""
    return sha256(text.encode()).hexdigest()
