"""May this request be answered now? Which limit it counts against, and what its reply says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from api.errors import Refusal
from api.keys import Caller
from api.limits import callers
from api.limits.buckets import Buckets, Limit, Verdict
from api.limits.rows import Rows
from api.limits.shared import Shared

READ: Final = frozenset({"GET", "HEAD"})
POSTED: Final[Mapping[str, str]] = {  # what costs more than an entry in a log
    "guests": "guests",
    "games": "create",
    "import": "create",
    "verifications": "create",
    "game-forks": "create",
    "game-analyses": "create",
}
FREE: Final = frozenset({"health", "ready", "metrics"})  # asked by those who watch over the server


@dataclass(frozen=True)
class Admission:
    """A request that was counted, and with what result."""

    limit: Limit
    caller: str
    verdict: Verdict
    stranger: APIException | None  # why nobody knows who asks, though a key was shown

    def check(self) -> None:
        """Refuse the request if there was no token for it, or if its key is none."""
        if not self.verdict.is_granted:
            wait = self.verdict.retry_after
            said = f"At most {self.limit.quota} in {self.limit.seconds} s: wait {wait} s."
            raise Refusal("too-many-requests", said)
        if self.stranger:
            raise self.stranger  # Django REST framework tells it once only

    def tell(self, response: HttpResponseBase) -> None:
        """Say in the reply where the caller stands. What has not changed costs nothing."""
        if response.status_code == 304:
            buckets().give_back(self.limit, self.caller)
        response["RateLimit-Policy"] = self.limit.policy
        response["RateLimit"] = self.verdict.state(self.limit)
        if not self.verdict.is_granted:
            response["Retry-After"] = str(self.verdict.retry_after)


def admit(request: Request) -> Admission | None:
    """Count the request; None if nothing limits it."""
    if not settings.LIMITS:
        return None
    place = request.resolver_match.url_name if request.resolver_match else None
    if place in FREE:
        return None
    limit = limit_of(request.method or "", place or "")
    known, stranger = _known(request)
    caller = name_of(known, limit) or callers.address(request.META)
    return Admission(limit, caller, buckets().take(limit, caller), stranger)


def limit_of(method: str, place: str) -> Limit:
    """Against what a request counts."""
    name = "read" if method in READ else "write"
    if method == "POST":
        name = POSTED.get(place, name)
    return Limit(name, *settings.LIMITS[name])


def name_of(known: Caller | None, limit: Limit) -> str | None:
    """Whose bucket it is: the account's, with whichever of its keys; or, of strangers and whoever
    shows a bad key, the address's. Guests count by address, whatever they show."""
    return known.account if known and limit.name != "guests" else None


def _known(request: Request) -> tuple[Caller | None, APIException | None]:
    """Who asks, or why that is not known."""
    try:
        caller: Any = request.user
    except APIException as problem:
        return None, problem
    return (caller if isinstance(caller, Caller) else None), None


@cache
def buckets() -> Buckets:
    """Where this process finds the buckets."""
    return Shared(settings.REDIS_URL, Rows()) if settings.REDIS_URL else Rows()
