"""What does a person with a browser see? The catalogue, until the table page is there."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.rules import described
from games import compiled
from games.registry import ENGINES


class Catalogue(Endpoint):
    """Every game with its table, and the way to its rules."""

    cache_control = "public, max-age=60"
    renderer_classes = (TemplateHTMLRenderer,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        games = [described(engine) for engine in ENGINES.values()]
        shown = {"games": games, "engines": compiled.mode()}
        return Response(shown, template_name="catalogue.html")
