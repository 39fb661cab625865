"""Idempotency of requests with an `Idempotency-Key`: each runs once, and is answered with the same
reply when repeated.

The row of the key, the changes of the request and the reply are written in one transaction: all or
none of them. A second request with the same key waits until the first one ends. Only a reply that
is no refusal is stored, sealed, for a day; a later repetition is refused as already done
(`reply-expired`).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Refusal
from api.limits.client_address import client_address_of
from api.models import Reply
from api.schema import IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH
from games import position_cache, services
from games.services import IdempotentRequest
from tabularium_log.fairness.encryption import UnlockError, lock_secret, unlock_secret

IDEMPOTENCY_KEY_REGEX: Final = re.compile(IDEMPOTENCY_KEY_PATTERN)
REPLAYED_HEADERS: Final = ("Location",)


def idempotent_request_of(
    request: Request, owner: str, document: Any, min_length: int = 1
) -> IdempotentRequest | None:
    """The request with its idempotency key, or None if it has none."""
    key = idempotency_key_of(request, min_length)
    if key is None:
        return None
    try:
        content = orjson.dumps([request.path, document], option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as problem:
        raise Refusal("invalid-body", "The body is nested too deeply.") from problem
    return IdempotentRequest(owner, key, sha256(content).hexdigest())


def idempotency_key_of(request: Request, min_length: int) -> str | None:
    """The idempotency key of a request, or None."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    match = IDEMPOTENCY_KEY_REGEX.match(header)
    if match is None or not min_length <= len(header) <= MAX_IDEMPOTENCY_KEY_LENGTH:
        lengths = f"{min_length} to {MAX_IDEMPOTENCY_KEY_LENGTH}"
        raise Refusal(
            "bad-request", f"An `Idempotency-Key` has {lengths} visible ASCII characters."
        )
    return match[1]


def anonymous_owner_of(request: Request) -> str:
    """The owner of the idempotency keys of an anonymous client: its address."""
    return f"address {client_address_of(request.META)}"


def run_idempotent(
    idempotent_request: IdempotentRequest, handler: Callable[[], Response]
) -> Response:
    """Run the request, or replay its reply if it was run before."""
    if (row := services.find_request(idempotent_request)) is not None:
        return _replay_reply(row.pk)
    try:
        with transaction.atomic():
            row = services.record_request(idempotent_request)
            with position_cache.cache.suspend_storing():  # all that is read here may be rolled back
                response = handler()
            _store_reply(row.pk, response)
    except IntegrityError:  # the same request won the race on another connection
        if (row := services.find_request(idempotent_request)) is None:
            raise
        return _replay_reply(row.pk)
    return response


def _store_reply(request_id: int, response: Response) -> None:
    headers = {name: response[name] for name in REPLAYED_HEADERS if name in response}
    head = orjson.dumps([response.status_code, headers])
    text = zlib.compress(head + b"\n" + orjson.dumps(response.data), 1)
    Reply.objects.create(
        request_id=request_id,
        sealed=lock_secret(settings.SEALING_KEYS, _sealing_context(request_id), text),
    )


def _replay_reply(request_id: int) -> Response:
    """The stored reply."""
    try:
        stored_reply = Reply.objects.get(
            request_id=request_id, created__gte=timezone.now() - Reply.KEPT_FOR
        )
        text = unlock_secret(
            settings.SEALING_KEYS, _sealing_context(request_id), bytes(stored_reply.sealed)
        )
    except (Reply.DoesNotExist, UnlockError) as problem:
        raise Refusal(
            "reply-expired", "The request was processed; its reply is no longer stored."
        ) from problem
    head, _, body = zlib.decompress(text).partition(b"\n")
    status, headers = orjson.loads(head)
    replayed_headers = {**headers, "Idempotent-Replayed": "true"}
    return Response(orjson.Fragment(body), status=status, headers=replayed_headers)


def _sealing_context(request_id: int) -> str:
    """The context that a sealed reply is bound to."""
    return f"reply {request_id}"
