"""What if a request comes twice? Under the client's own key it is done once, and answered twice."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from django.db import IntegrityError, transaction
from rest_framework.request import Request

from api.errors import Refusal
from games import services
from games.engines.common import codec
from games.fairness.canonical import NotCanonical, canonical
from games.models import Account
from games.services import Appended, Asked

LONGEST_KEY: Final = 255
KEY_HEADER: Final = "A key of your own for this request: sent again, it is not done again."


def asked_of(request: Request, account: str, body: Any) -> Asked | None:
    """The request under the client's own key, if it has one."""
    key = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Refusal("bad-request", f"An Idempotency-Key has at most {LONGEST_KEY} characters.")
    try:
        told = canonical([request.path, codec.to_json(body)])
    except NotCanonical:  # nothing of ours; it will be refused for what it is
        return None
    return Asked(Account(pk=account), key, sha256(told.encode()).hexdigest())


def once(asked: Asked | None, make: Callable[[], Appended]) -> Appended:
    """What was made, now or when it was asked for the first time under this key."""
    if asked is None:
        with transaction.atomic():
            return make()
    if done := services.request_answered(asked):
        return done
    try:
        with transaction.atomic():
            done = make()
            asked.keep(done.first, done.table)
    except IntegrityError:  # the same request was faster, on another connection
        if (done := services.request_answered(asked)) is None:
            raise
    return done
