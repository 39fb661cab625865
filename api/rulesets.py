"""The catalogue of rulesets: their metadata, texts, JSON Schemas and pictures."""

from __future__ import annotations

from importlib import resources
from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import query_serializers
from api.components import SCHEMA_REF_PREFIX
from api.endpoint import Endpoint
from api.errors import Refusal
from api.renderers import MarkdownRenderer, SvgRenderer
from games.engines.base import Engine
from games.engines.common import codec
from games.engines.common.rng import FastRng
from games.registry import ENGINES

JSON_SCHEMA_REFERENCE: Final = {"$ref": f"{SCHEMA_REF_PREFIX}JsonSchema"}
SCHEMA_PARTS: Final = ("options", "action", "view")  # of a ruleset, each with a JSON Schema
RULESET_CACHE_CONTROL: Final = "public, max-age=300"


def engine_or_404(slug: str) -> Engine[Any, Any]:
    """The engine of the ruleset `slug`, or 404."""
    if slug not in ENGINES:
        raise Http404(f"There is no ruleset {slug}.")
    return ENGINES[slug]


def ruleset_summary(engine: Engine[Any, Any]) -> dict[str, Any]:
    """A ruleset as the catalogue shows it."""
    about = engine.about
    fewest, most = about.seats
    return {
        "slug": about.slug,
        "title": about.title,
        "summary": about.summary,
        "version": about.version,
        "seats": {"fewest": fewest, "most": most},
        "designers": list(about.designers),
        "links": ruleset_links(about.slug),
    }


def ruleset_links(slug: str) -> dict[str, str]:
    """The links of a ruleset."""
    schemas = {part: reverse("rules-schema", args=[slug, part]) for part in SCHEMA_PARTS}
    return {
        "self": reverse("rules", args=[slug]),
        "text": reverse("rules-text", args=[slug]),
        "picture": reverse("rules-picture", args=[slug]),
        "ratings": reverse("ratings", args=[slug]),
        **schemas,
    }


def ruleset_schema(engine: Engine[Any, Any], part: str) -> dict[str, Any]:
    """The JSON Schema of one part of a ruleset."""
    if part == "action":
        return engine.action_codec.schema()
    kind = engine.about.options if part == "options" else engine.about.view
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **codec.schema(kind)}


def ruleset_picture(engine: Engine[Any, Any], seats: int | None, seed: int) -> str:
    """An onlooker's SVG of a freshly dealt game, in the default variant."""
    fewest, most = engine.about.seats
    seats = seats or fewest
    if not fewest <= seats <= most:
        sentence = f"This game is for {engine.about.player_count_text}, not {seats}."
        errors = [{"parameter": "seats", "code": "out-of-range", "detail": sentence}]
        raise Refusal("wrong-seats", sentence, errors)
    state = engine.start(engine.about.options(), seats, FastRng(seed))
    return engine.svg(engine.view(state, None))


class RulesetsEndpoint(Endpoint):
    """List the rulesets that can be played here."""

    cache_control = RULESET_CACHE_CONTROL

    @extend_schema(operation_id="list_rules", responses=query_serializers.RulesListSerializer)
    def get(self, request: Request) -> Response:
        items = [ruleset_summary(engine) for engine in ENGINES.values()]
        return Response({"items": items, "next_cursor": None})


class RulesetEndpoint(Endpoint):
    """Get a ruleset."""

    cache_control = RULESET_CACHE_CONTROL

    @extend_schema(operation_id="rules", responses=query_serializers.RulesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ruleset_summary(engine_or_404(slug)))


class RulesetSchemaEndpoint(Endpoint):
    """Get the JSON Schema (2020-12) of a ruleset's options, actions or views."""

    cache_control = RULESET_CACHE_CONTROL

    @extend_schema(operation_id="rules_schema", responses=OpenApiResponse(JSON_SCHEMA_REFERENCE))
    def get(self, request: Request, slug: str, part: str) -> Response:
        engine = engine_or_404(slug)
        if part not in SCHEMA_PARTS:
            raise Http404(f"A ruleset has schemas for {', '.join(SCHEMA_PARTS)}, not for {part}.")
        return Response(ruleset_schema(engine, part))


class RulesetTextEndpoint(Endpoint):
    """Get the rules as implemented here, with our rulings, in Markdown."""

    cache_control = RULESET_CACHE_CONTROL
    renderer_classes = (MarkdownRenderer,)

    @extend_schema(operation_id="rules_text", responses={(200, "text/markdown"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> Response:
        folder = type(engine_or_404(slug)).__module__.rpartition(".")[0]
        return Response(resources.files(folder).joinpath("RULES.md").read_text(encoding="utf-8"))


class RulesetPictureEndpoint(Endpoint):
    """Get a picture (SVG) of a freshly dealt game, as an onlooker sees it. The same seed deals the
    same game."""

    query = query_serializers.RulesetPictureQuery
    cache_control = RULESET_CACHE_CONTROL
    renderer_classes = (SvgRenderer,)

    @extend_schema(
        operation_id="rules_picture",
        parameters=[query_serializers.RulesetPictureQuery],
        responses={(200, "image/svg+xml"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.parse_query(request)
        return Response(ruleset_picture(engine_or_404(slug), asked.get("seats"), asked["seed"]))
