"""Idempotency keys of requests: a request under a client's key is run once. It leaves a row in the
transaction of its effects, and there can be no second row of the same owner and key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from games import position_cache
from games.models import Request
from games.services.append_transaction import AppendResult
from tabularium_log.projection.projection import GameRefusal, Projection


class IdempotencyKeyReused(GameRefusal):
    """The key was used for another request."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency-key-reused", "This idempotency key was used for another request."
        )


@dataclass(frozen=True)
class IdempotentRequest:
    """A request under an idempotency key: sent twice, it is run once."""

    owner: str  # an account, or an address
    key: str
    fingerprint: str

    def keep(self, first: int, table: Projection) -> None:
        """Record that this request has appended to a log."""
        Request.objects.create(
            owner=self.owner,
            key=self.key,
            fingerprint=self.fingerprint,
            game_id=table.game,
            first=first,
            last=table.seq,
            at=datetime.fromisoformat(table.entry.at),
        )


def record_request(request: IdempotentRequest) -> Request:
    """Record the request in the present transaction; raises IntegrityError if it was already run.
    Waits for the end of any other transaction that is running it."""
    return Request.objects.create(
        owner=request.owner, key=request.key, fingerprint=request.fingerprint, at=timezone.now()
    )


def find_request(request: IdempotentRequest) -> Request | None:
    """The same request, if made before; raises IdempotencyKeyReused if the key had another one."""
    record = Request.objects.filter(owner=request.owner, key=request.key).first()
    if record is not None and record.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused
    return record


def request_result(request: IdempotentRequest, game: str) -> AppendResult | None:
    """The result of an earlier request under this key about this game, if there was one."""
    record = find_request(request)
    if record is None:
        return None
    if game != record.game_id:
        raise IdempotencyKeyReused
    position = position_cache.position_at(game, record.last)
    return AppendResult(position, record.first, record.last, is_repeat=True)


def delete_requests(before: datetime) -> int:
    """Delete the requests made before then, which frees their keys, and return their number."""
    return Request.objects.filter(at__lt=before).delete()[0]
