"""`POST /test/advance` of a server with a test clock. It is no part of the API's document: no other
server has it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_endpoint import Endpoint
from api.schema import undescribed
from api.shape_responses import format_required_time, reply
from api.time_and_name_fields import invalid_member_refusal, parse_time
from jobs.movable_clock import MovableClock
from tabularium_engines.common.json_codec import Between

MAX_DAYS: Final = 400  # of one request
MAX_SECONDS: Final = MAX_DAYS * 24 * 3600


@dataclass(frozen=True)
class Advance:
    """By how much the clock moves, or to which time."""

    seconds: Annotated[int, Between(0, MAX_SECONDS)] | None = None
    to: str | None = None


@dataclass(frozen=True)
class Reading:
    """The time that the clock shows."""

    now: str


class AdvanceEndpoint(Endpoint):
    """The movement of the test clock."""

    keeps_replies = False  # `to` can be sent again: it moves the clock once

    @undescribed
    def post(self, request: Request) -> Response:
        """Move the clock forward, and do all that is due by then before the reply."""
        body = self.parse_body(request, Advance)
        clock = MovableClock(Path(str(settings.TEST_CLOCK)))
        with clock.exclusively():
            clock.move(_duration(body, clock.now()))
        return reply(Reading(format_required_time(clock.now())))


def _duration(body: Advance, now: datetime) -> timedelta:
    """By how much the clock is to be moved."""
    target = parse_time(body.to, "/to")
    if (target is None) == (body.seconds is None):
        raise invalid_member_refusal("/seconds", "malformed", "must be sent, or else `to`")
    duration = timedelta(seconds=body.seconds or 0) if target is None else target - now
    if not timedelta() <= duration <= timedelta(days=MAX_DAYS):
        detail = f"must be later than {format_required_time(now)}, by {MAX_DAYS} days at most"
        raise invalid_member_refusal("/to", "out-of-range", detail)
    return duration
