"""The rows of replays: their subjects, and the way from the request over a worker's claim to the
content that is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import orjson
from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone

from api.games.drawn_positions import Look
from api.models import Replay
from tabularium_engines.common.json_codec import from_json
from tabularium_engines.common.shapes_svg import Shape
from tabularium_log.projection.projection import Projection

ENCODING: Final = 1  # raised when the same pictures become another file
MAX_FRAMES: Final = 40
MAX_WAITING: Final = 32  # of all callers together
MAX_ATTEMPTS: Final = 3
MAX_KEPT: Final = 200
KEPT_FOR: Final = timedelta(days=1)
LEASE: Final = timedelta(seconds=70)  # a worker that takes longer is dead
RESEND_INTERVAL: Final = timedelta(seconds=30)
UNDRAWN: Final = Q(content=None)


class TooManyWaiting(Exception):
    """Too many replays are waiting to be drawn."""


class HasOneWaiting(Exception):
    """A replay of the same caller is waiting to be drawn."""


@dataclass(frozen=True)
class Style:
    """The viewer of a replay, and how its frames are drawn."""

    viewer: int | None
    shape: Shape
    names: tuple[str, ...] | None
    width: int
    delay: int  # milliseconds

    @property
    def look(self) -> Look:
        """How a position is drawn."""
        return Look(self.shape, self.names)


def frame_seqs(first: int, last: int) -> list[int]:
    """The entries after which a position is a frame: all of them, or `MAX_FRAMES` at even
    distances, the first and the last among them."""
    steps, count = last - first, min(last - first + 1, MAX_FRAMES)
    return [first + number * steps // max(1, count - 1) for number in range(count)]


def find(name: str) -> Replay | None:
    """The replay, drawn or not."""
    return Replay.objects.filter(pk=name).first()


def has_one_waiting(caller: str) -> bool:
    """Whether a replay that this caller asked for is still to be drawn."""
    return Replay.objects.filter(UNDRAWN, caller=caller).exists()


def begin(name: str, caller: str, table: Projection, style: Style) -> Replay:
    """The row of a replay that is to be drawn."""
    if Replay.objects.filter(UNDRAWN).count() >= MAX_WAITING:
        raise TooManyWaiting
    now = timezone.now()
    fields = {
        "game_id": table.game,
        "style": orjson.dumps(style).decode(),
        "frames": len(frame_seqs(table.first or 1, table.seq)),
        "created": now,
        "due": now + RESEND_INTERVAL,
        "caller": caller,
    }
    try:
        return Replay.objects.get_or_create(pk=name, defaults=fields)[0]
    except IntegrityError as problem:  # another request of the caller came first
        raise HasOneWaiting from problem


def style_of(replay: Replay) -> Style:
    """The viewer and the style of a replay."""
    return from_json(Style, orjson.loads(replay.style))


# -- drawing --------------------------------------------------------------------------------------


def claim(name: str, *, again: bool) -> Replay | None:
    """The replay, if it is still to be drawn and no live worker draws it (`again`: that worker is
    dead)."""
    row = Replay.objects.filter(UNDRAWN, pk=name, attempts__lt=MAX_ATTEMPTS).first()
    if row is None:
        return None
    now, rows = timezone.now(), Replay.objects.filter(UNDRAWN, pk=name, attempts=row.attempts)
    if not again:
        rows = rows.filter(without_live_worker())
    is_claimed = rows.update(begun=now, drawn=0, attempts=row.attempts + 1)
    return row if is_claimed else None


def without_live_worker() -> Q:
    """Filter: replays that no live worker has claimed."""
    return Q(begun=None) | Q(begun__lt=timezone.now() - LEASE)


def count_drawn(name: str, drawn: int) -> None:
    """Record how many frames are drawn."""
    Replay.objects.filter(UNDRAWN, pk=name).update(drawn=drawn)


def keep(name: str, content: bytes) -> None:
    """Keep a replay that is drawn, and of the others the newest."""
    Replay.objects.filter(pk=name).update(content=content)
    kept = Replay.objects.exclude(UNDRAWN).order_by("-created").values_list("pk", flat=True)
    delete(kept[MAX_KEPT:])


# -- losses ---------------------------------------------------------------------------------------


def take_overdue() -> list[str]:
    """The replays whose task was lost or whose worker died. One whose attempts are used up is
    deleted: it can be requested again."""
    now = timezone.now()
    overdue = Replay.objects.filter(UNDRAWN, without_live_worker(), due__lte=now)
    delete(overdue.filter(attempts__gte=MAX_ATTEMPTS).values_list("pk", flat=True))
    names = list(overdue.values_list("pk", flat=True))
    Replay.objects.filter(pk__in=names).update(due=now + RESEND_INTERVAL)
    return names


def delete_old() -> None:
    """Delete replays that were requested long ago."""
    Replay.objects.filter(created__lt=timezone.now() - KEPT_FOR).delete()


def delete(names: Iterable[str]) -> None:
    """Delete these replays."""
    Replay.objects.filter(pk__in=list(names)).delete()
