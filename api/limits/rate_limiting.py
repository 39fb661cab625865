"""Rate limiting of requests: the bucket of a request, its refusal, and the headers of its reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from api.errors import Refusal
from api.keys import Caller
from api.limits import client_address
from api.limits.file_buckets import FileBuckets
from api.limits.token_buckets import Buckets, DatabaseBuckets, RateLimit, RedisBuckets, Verdict

READ_METHODS: Final = frozenset({"GET", "HEAD"})
POST_LIMIT_NAMES: Final[Mapping[str, str]] = {  # more expensive than appending an entry
    "guests": "guests",
    "redeem": "codes",
    "games": "create",
    "import": "create",
    "verifications": "create",
    "game-forks": "create",
    "game-analyses": "create",
    "witness-add-checkpoint": "create",
}
GET_LIMIT_NAMES: Final[Mapping[str, str]] = {  # much more than a read
    "my-export": "exports",
    "game-picture-png": "drawings",
    "game-replay": "drawings",
    "game-thought": "create",
}
# counted by address whichever key is sent: a new key would bring a new quota
LIMITS_BY_ADDRESS: Final = frozenset({"guests", "codes"})
# used for monitoring the server
UNLIMITED_ROUTES: Final = frozenset({"health", "ready", "metrics"})


@dataclass(frozen=True)
class Admission:
    """A request that was counted, and the verdict."""

    limit: RateLimit
    caller: str
    verdict: Verdict
    authentication_error: APIException | None  # set if a key was sent but is invalid

    def check(self) -> None:
        """Refuse the request if its bucket had no token, or if its key is invalid."""
        if not self.verdict.is_granted:
            wait = self.verdict.retry_after
            detail = (
                f"At most {self.limit.quota} requests in {self.limit.seconds} s: wait {wait} s."
            )
            raise Refusal("too-many-requests", detail, limit=self.limit.name)
        if self.authentication_error:
            raise self.authentication_error  # Django REST framework raises it only once

    def with_more(self, tokens: int) -> Admission:
        """The admission of a request that takes more tokens, all or none: as many as its quota
        allows at most."""
        tokens = min(tokens, self.limit.quota - 1)
        if tokens < 1:
            return self
        verdict = configured_buckets().take(self.limit, self.caller, tokens)
        return replace(self, verdict=verdict)

    def give_back(self) -> None:
        """Return the token: the request costs none, or will be counted again."""
        configured_buckets().give_back(self.limit, self.caller)

    def add_headers(self, response: HttpResponseBase) -> None:
        """Add the rate limit headers. A 304 reply costs no token."""
        if response.status_code == 304:
            self.give_back()
        response["RateLimit-Policy"] = self.limit.policy_header
        response["RateLimit"] = self.verdict.state_header(self.limit)
        if not self.verdict.is_granted:
            response["Retry-After"] = str(self.verdict.retry_after)


def admit(request: Request) -> Admission | None:
    """Count the request; None if no limit applies."""
    if not settings.LIMITS:
        return None
    route = request.resolver_match.url_name if request.resolver_match else None
    if route in UNLIMITED_ROUTES:
        return None
    limit = limit_of(request.method or "", route or "")
    caller, authentication_error = _identify_caller(request)
    owner = account_bucket_of(caller, limit) or client_address.client_address_of(request.META)
    return Admission(limit, owner, configured_buckets().take(limit, owner), authentication_error)


class NotAtHand(Exception):
    """A token is not to be had without waiting, or there is none."""


def admit_at_hand(method: str, route: str, account: str) -> Admission | None:
    """Count a request of an account without waiting; None if no limit applies. Raises NotAtHand,
    and then nothing is counted."""
    if not settings.LIMITS:
        return None
    limit = limit_of(method, route)
    verdict = configured_buckets().take_at_hand(limit, account)
    if verdict is None:
        raise NotAtHand
    return Admission(limit, account, verdict, None)


def limit_of(method: str, route: str) -> RateLimit:
    """The limit a request counts against."""
    name = GET_LIMIT_NAMES.get(route, "read") if method in READ_METHODS else "write"
    if method == "POST":
        name = POST_LIMIT_NAMES.get(route, name)
    return RateLimit(name, *settings.LIMITS[name])


def account_bucket_of(caller: Caller | None, limit: RateLimit) -> str | None:
    """The account as the owner of the bucket, shared by all its keys; None if the address owns it:
    for callers with no or an invalid key, and always for guests and codes."""
    return caller.account if caller and limit.name not in LIMITS_BY_ADDRESS else None


def _identify_caller(request: Request) -> tuple[Caller | None, APIException | None]:
    """The caller, or the reason why the key is not accepted."""
    try:
        caller: Any = request.user
    except APIException as problem:
        return None, problem
    return (caller if isinstance(caller, Caller) else None), None


@cache
def configured_buckets() -> Buckets:
    """The buckets that this process uses."""
    if settings.REDIS_URL:
        return RedisBuckets(settings.REDIS_URL, _buckets_beside_data())
    return _buckets_beside_data()


def _buckets_beside_data() -> Buckets:
    """Buckets where the games are. With SQLite all processes are on one machine, and in a file of
    their own the limits neither wait for those who write to a log nor hold them up."""
    if connection.vendor == "sqlite":
        return FileBuckets(settings.LIMITS_FILE)
    return DatabaseBuckets()
