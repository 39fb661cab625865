"""Endpoints for rulesets: their catalogue, metadata, texts, JSON Schemas and pictures."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.option_forms import option_fields, titled_action_schema, titled_schema
from api.query_serializers import RulesetPictureQuery, RulesetQuery
from api.renderers import MarkdownRenderer, SvgRenderer
from api.ruleset_types import typed_schema
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes import catalogue as shapes
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg
from tabularium_engines.common.news_formats import news_schema
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.shapes_svg import Shape
from tabularium_engines.installed.registry import (
    ENGINES,
    RulesetNotInstalled,
    find_engine,
    installed_versions,
    is_proven,
    package_of_installed,
    ruleset_of,
)
from tabularium_engines.installed.rule_books import rule_book

SCHEMA_PARTS: Final = ("options", "action", "news", "view")  # of a ruleset, each with a JSON Schema
RULESET_CACHE_CONTROL: Final = "public, max-age=300"


def engine_or_404(slug: str, version: int | None = None) -> AnyEngine:
    """The engine of a version of the ruleset `slug` (None: the newest), or 404."""
    if slug not in ENGINES:
        raise Http404(f"There is no ruleset {slug}.")
    try:
        return find_engine(slug, version)
    except RulesetNotInstalled as problem:
        raise Http404(f"{problem}.") from problem


def ruleset_summary(engine: AnyEngine) -> shapes.Rules:
    """A ruleset as the catalogue shows it."""
    about = engine.about
    return shapes.Rules(
        about.slug,
        about.title,
        about.summary,
        about.version,
        installed_versions(about.slug),
        shapes.Seats(*about.seats),
        option_fields(engine),
        tuple(about.designers),
        package_of_installed(ruleset_of(engine)),
        is_proven(*ruleset_of(engine)),
        ruleset_links(engine),
    )


def ruleset_links(engine: AnyEngine) -> shapes.RulesLinks:
    """The links of a ruleset; those of an older version name it."""
    slug, version = ruleset_of(engine)
    query = "" if engine is ENGINES[slug] else f"?version={version}"
    pages = {name: reverse(f"rules-{name}", args=[slug]) + query for name in ("text", "picture")}
    schemas = {part: reverse("rules-schema", args=[slug, part]) + query for part in SCHEMA_PARTS}
    ratings = reverse("ratings", args=[slug])
    return shapes.RulesLinks(
        self=reverse("rules", args=[slug]) + query, ratings=ratings, **pages, **schemas
    )


def ruleset_schema(engine: AnyEngine, part: str) -> dict[str, Any]:
    """The JSON Schema of one part of a ruleset."""
    if part == "action":
        return titled_action_schema(engine)
    if part == "news":
        return news_schema(engine)
    schema = typed_schema(engine, "options" if part == "options" else "view")
    if part == "options":
        schema = titled_schema(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def ruleset_picture(engine: AnyEngine, seats: int | None, seed: int, shape: Shape) -> str:
    """An onlooker's SVG of a freshly dealt game, in the default variant."""
    fewest, most = engine.about.seats
    seats = seats or fewest
    if not fewest <= seats <= most:
        sentence = f"This game is for {engine.about.player_count_text}, not {seats}."
        errors = [{"parameter": "seats", "code": "out-of-range", "detail": sentence}]
        raise Refusal("wrong-seats", sentence, errors)
    state = engine.start(engine.about.options(), seats, FastRng(seed))
    return shapes_svg.draw(engine, engine.view(state, None), shape)


class RulesetsEndpoint(Endpoint):
    """All rulesets."""

    cache_control = RULESET_CACHE_CONTROL
    may_be_compressed = True

    @operation("list_rules", reply=shapes.RulesList)
    def get(self, request: Request) -> Response:
        """List the rulesets that can be played here."""
        return reply(shapes.RulesList(tuple(map(ruleset_summary, ENGINES.values())), None))


class RulesetEndpoint(Endpoint):
    """A ruleset."""

    query = RulesetQuery
    cache_control = RULESET_CACHE_CONTROL
    may_be_compressed = True

    @operation("rules", reply=shapes.Rules, query=RulesetQuery)
    def get(self, request: Request, slug: str) -> Response:
        """Get a ruleset."""
        version = self.parse_query(request).get("version")
        return reply(ruleset_summary(engine_or_404(slug, version)))


class RulesetSchemaEndpoint(Endpoint):
    """The JSON Schemas of a ruleset."""

    query = RulesetQuery
    cache_control = RULESET_CACHE_CONTROL
    may_be_compressed = True

    @operation("rules_schema", reply=shapes.JsonSchema, query=RulesetQuery)
    def get(self, request: Request, slug: str, part: str) -> Response:
        """Get the JSON Schema (2020-12) of a ruleset's options, actions, news or views."""
        engine = engine_or_404(slug, self.parse_query(request).get("version"))
        if part not in SCHEMA_PARTS:
            raise Http404(f"A ruleset has schemas for {', '.join(SCHEMA_PARTS)}, not for {part}.")
        return Response(ruleset_schema(engine, part))


class RulesetTextEndpoint(Endpoint):
    """The rule book of a ruleset."""

    query = RulesetQuery
    cache_control = RULESET_CACHE_CONTROL
    may_be_compressed = True
    renderer_classes = (MarkdownRenderer,)

    @operation("rules_text", reply=MarkdownRenderer.media_type, query=RulesetQuery)
    def get(self, request: Request, slug: str) -> Response:
        """Get the rules as implemented here, with our rulings, in Markdown."""
        engine = engine_or_404(slug, self.parse_query(request).get("version"))
        return Response(rule_book(engine))


class RulesetPictureEndpoint(Endpoint):
    """A picture of a freshly dealt game."""

    query = RulesetPictureQuery
    cache_control = RULESET_CACHE_CONTROL
    may_be_compressed = True
    renderer_classes = (SvgRenderer,)

    @operation("rules_picture", reply=SvgRenderer.media_type, query=RulesetPictureQuery)
    @refused_with("wrong-seats")
    def get(self, request: Request, slug: str) -> Response:
        """Get a picture (SVG) of a freshly dealt game, as an onlooker sees it. The same seed deals
        the same game."""
        query = self.parse_query(request)
        engine = engine_or_404(slug, query.get("version"))
        seats, shape = query.get("seats"), query["shape"]
        return Response(ruleset_picture(engine, seats, query["seed"], shape))
