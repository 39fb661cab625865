"""Is the service well? For those who watch over it: who is alive, and what waits."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.readiness import current_readiness
from api.responses import reply
from api.schema import operation
from api.shapes.readiness import Readiness


class ReadinessEndpoint(Endpoint):
    """May callers be sent here?"""

    @operation("ready", reply=Readiness)
    def get(self, request: Request) -> Response:
        """Database, migrations and writes decide (503 without them). While the broker, a worker or
        the sweeper is away, or tables wait too long for bots, the service is degraded: games can be
        played, but bots answer late or not at all."""
        return reply(current_readiness())
