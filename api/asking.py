"""Requests under a client's own key (`Idempotency-Key`): done once, and answered as the first time.

The key's row, what the request changes and the reply are written in one transaction: either all of
it has happened or nothing. A second request under the same key that comes meanwhile waits for the
first one's end. Only a reply that is no refusal is kept, sealed, for a day; a repetition after that
is told that it was done.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Refusal
from api.limits.callers import address
from api.models import Reply
from api.schema import IDEMPOTENCY_KEY, LONGEST_KEY
from games import positions, services
from games.fairness.vault import Locked, lock_secret, unlock_secret
from games.models import Request as Row
from games.services import Asked

PLAIN: Final = re.compile(IDEMPOTENCY_KEY)
KEPT: Final = timedelta(days=1)
TOLD: Final = ("Location",)  # headers that are told again


def asked_of(request: Request, owner: str, document: Any, shortest: int = 1) -> Asked | None:
    """The request under the client's own key, if it has one."""
    key = key_of(request, shortest)
    if key is None:
        return None
    try:
        told = orjson.dumps([request.path, document], option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as problem:
        raise Refusal("invalid-body", "The body is nested too deeply.") from problem
    return Asked(owner, key, sha256(told).hexdigest())


def key_of(request: Request, shortest: int) -> str | None:
    """The client's own key, if there is one."""
    said = request.headers.get("Idempotency-Key")
    if said is None:
        return None
    plain = PLAIN.match(said)
    if plain is None or not shortest <= len(said) <= LONGEST_KEY:
        lengths = f"{shortest} to {LONGEST_KEY}"
        raise Refusal("bad-request", f"An Idempotency-Key has {lengths} visible ASCII characters.")
    return plain[1]


def stranger_of(request: Request) -> str:
    """The owner of the request of a client that needs no key of an account: its address."""
    return f"address {address(request.META)}"


def once(asked: Asked, answer: Callable[[], Response]) -> Response:
    """The answer, made now or when this was asked for the first time."""
    if (row := services.request_found(asked)) is not None:
        return _replayed(row)
    try:
        with transaction.atomic():
            row = services.request_begin(asked)
            with positions.memory.unchanged():  # all that is read here may be rolled back
                response = answer()
            _keep(row, response)
    except IntegrityError:  # the same request was faster, on another connection
        if (row := services.request_found(asked)) is None:
            raise
        return _replayed(row)
    return response


def forget(before: datetime) -> None:
    """Drop the replies that are older."""
    Reply.objects.filter(created__lt=before).delete()


def _keep(row: Row, response: Response) -> None:
    headers = {name: response[name] for name in TOLD if name in response}
    head = orjson.dumps([response.status_code, headers])
    text = zlib.compress(head + b"\n" + orjson.dumps(response.data), 1)
    Reply.objects.create(request=row, sealed=lock_secret(settings.SEALING_KEYS, _name(row), text))


def _replayed(row: Row) -> Response:
    """The reply of the first time."""
    try:
        kept = Reply.objects.get(request=row, created__gte=timezone.now() - KEPT)
        text = unlock_secret(settings.SEALING_KEYS, _name(row), bytes(kept.sealed))
    except (Reply.DoesNotExist, Locked) as problem:
        raise Refusal("reply-expired", "This was done; its reply is not kept.") from problem
    head, _, body = zlib.decompress(text).partition(b"\n")
    status, headers = orjson.loads(head)
    told = {**headers, "Idempotent-Replayed": "true"}
    return Response(orjson.Fragment(body), status=status, headers=told)


def _name(row: Row) -> str:
    """What a sealed reply is bound to."""
    return f"reply {row.pk}"
