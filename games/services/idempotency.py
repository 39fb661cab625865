"""Requests under a key of the client's own, which are done once: each leaves a row in the
transaction of what it did, and a second row of the same owner and key cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from games import position_cache
from games.models import Request
from games.projection.projection import GameRefusal, Projection
from games.services.append_transaction import AppendResult


class IdempotencyKeyReused(GameRefusal):
    """The same key, but another request."""

    def __init__(self) -> None:
        super().__init__("idempotency-key-reused", "This key was used for another request.")


@dataclass(frozen=True)
class IdempotentRequest:
    """A request under a key of the client's own: asked twice, it is done once."""

    owner: str  # an account, or an address
    key: str
    fingerprint: str

    def keep(self, first: int, table: Projection) -> None:
        """Note that this has appended to a log."""
        Request.objects.create(
            owner=self.owner,
            key=self.key,
            fingerprint=self.fingerprint,
            game_id=table.game,
            first=first,
            last=table.seq,
            at=datetime.fromisoformat(table.entry.at),
        )


def request_record(asked: IdempotentRequest) -> Request:
    """Note that this is done in the present transaction; IntegrityError if it was done already. If
    another transaction is at it, this waits for its end."""
    return Request.objects.create(
        owner=asked.owner, key=asked.key, fingerprint=asked.fingerprint, at=timezone.now()
    )


def request_find(asked: IdempotentRequest) -> Request | None:
    """The same request, if it was made before; KeyReused if another was made under this key."""
    request = Request.objects.filter(owner=asked.owner, key=asked.key).first()
    if request is not None and request.fingerprint != asked.fingerprint:
        raise IdempotencyKeyReused
    return request


def request_result(asked: IdempotentRequest, game: str) -> AppendResult | None:
    """What became of a request about this game that was made before under this key, if any was."""
    request = request_find(asked)
    if request is None:
        return None
    if game != request.game_id:
        raise IdempotencyKeyReused
    position = position_cache.position_at(game, request.last)
    return AppendResult(position, request.first, request.last, is_repeat=True)


def requests_delete(before: datetime) -> int:
    """Forget requests made before that; their keys are free again. How many there were."""
    return Request.objects.filter(at__lt=before).delete()[0]
