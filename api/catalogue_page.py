"""The HTML page of the catalogue of games, for browsers."""

from __future__ import annotations

from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_endpoint import Endpoint
from api.rulesets import ruleset_summary
from api.schema import undescribed
from games import compiled_engines
from games.registry import ENGINES


class CatalogueEndpoint(Endpoint):
    """All games, with a picture of each table and links to the rules."""

    cache_control = "public, max-age=60"
    renderer_classes = (TemplateHTMLRenderer,)

    @undescribed
    def get(self, request: Request) -> Response:
        games = [ruleset_summary(engine) for engine in ENGINES.values()]
        context = {"games": games, "engines": compiled_engines.engine_mode()}
        return Response(context, template_name="catalogue.html")
