"""Requests under a key of the client's own, which are done once: each leaves a row in the
transaction of what it did, and a second row of the same owner and key cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from games import positions
from games.models import Request
from games.services.changes import Appended
from games.table.table import Refused, Table


class KeyReused(Refused):
    """The same key, but another request."""

    def __init__(self) -> None:
        super().__init__("idempotency-key-reused", "This key was used for another request.")


@dataclass(frozen=True)
class Asked:
    """A request under a key of the client's own: asked twice, it is done once."""

    owner: str  # an account, or an address
    key: str
    fingerprint: str

    def keep(self, first: int, table: Table) -> None:
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


def request_begin(asked: Asked) -> Request:
    """Note that this is done in the present transaction; IntegrityError if it was done already. If
    another transaction is at it, this waits for its end."""
    return Request.objects.create(
        owner=asked.owner, key=asked.key, fingerprint=asked.fingerprint, at=timezone.now()
    )


def request_found(asked: Asked) -> Request | None:
    """The same request, if it was made before; KeyReused if another was made under this key."""
    request = Request.objects.filter(owner=asked.owner, key=asked.key).first()
    if request is not None and request.fingerprint != asked.fingerprint:
        raise KeyReused
    return request


def request_answered(asked: Asked, game: str) -> Appended | None:
    """What became of a request about this game that was made before under this key, if any was."""
    request = request_found(asked)
    if request is None:
        return None
    if game != request.game_id:
        raise KeyReused
    position = positions.at(game, request.last)
    return Appended(position, request.first, request.last, repeated=True)


def requests_forget(before: datetime) -> int:
    """Forget requests made before that; their keys are free again. How many there were."""
    return Request.objects.filter(at__lt=before).delete()[0]
