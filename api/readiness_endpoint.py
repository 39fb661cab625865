"""The readiness endpoint for monitoring: which parts are alive, and which work is waiting."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.readiness import current_readiness
from api.responses import reply
from api.schema import operation
from api.shapes.readiness import Readiness


class ReadinessEndpoint(Endpoint):
    """The readiness of the service."""

    @operation("ready", reply=Readiness)
    def get(self, request: Request) -> Response:
        """Check whether the service is ready. It is not (503) without its database, all migrations
        and working writes. While the broker, a worker or the sweeper is away, or games have waited
        too long for a bot, the service is degraded: games can be played, but bots answer late or
        not at all."""
        return reply(current_readiness())
