"""Endpoints for the service itself: health, entry point, problem pages and API documents."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from drf_spectacular.views import SpectacularSwaggerView
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

import api.webhooks.openapi  # noqa: F401  # which the settings name, for the document
from api.api_level import API_LEVEL
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.openapi_selection import document_of, selected_rulesets
from api.problem_catalogue import PROBLEM_KINDS
from api.query_serializers import ApiDocumentQuery
from api.renderers import JsonRenderer
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes.problems import Problem, ProblemKind, ProblemMember
from api.shapes.service import ApiDocument, EntryPoint, EntryPointLinks, Health
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common.member_comments import member_comments
from tabularium_engines.installed.registry import ENGINES

INLINE_SCRIPT_PATTERN: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class HealthEndpoint(Endpoint):
    """The health of the process."""

    @operation("health", reply=Health)
    def get(self, request: Request) -> Response:
        """Check that the process is alive. Reports whether the engines are compiled or interpreted,
        and the version of each ruleset."""
        versions = {slug: engine.about.version for slug, engine in ENGINES.items()}
        return reply(Health("ok", compiled_engines.engine_mode(), versions))


class EntryPointEndpoint(Endpoint):
    """The entry point of the API."""

    cache_control = "public, max-age=60"

    @operation("entry_point", reply=EntryPoint)
    def get(self, request: Request) -> Response:
        """Get the API level and the links to start from."""
        names = ("rules-list", "openapi", "docs", "health")
        return reply(EntryPoint("Tabularium", API_LEVEL, EntryPointLinks(*map(reverse, names))))


class ProblemKindEndpoint(Endpoint):
    """The page of a problem."""

    cache_control = "public, max-age=86400"
    may_be_compressed = True
    renderer_classes = (JsonRenderer, TemplateHTMLRenderer)

    @operation(
        "problem",
        reply={JsonRenderer.media_type: ProblemKind, TemplateHTMLRenderer.media_type: str},
    )
    def get(self, request: Request, code: str) -> Response:
        """Get the meaning of a problem's `code`, its remedy, and its members. The `type`
        of a problem leads here; a browser gets a page (HTML)."""
        if code not in PROBLEM_KINDS:
            raise Http404(f"There is no problem {code}.")
        kind = problem_kind(code)
        if str(request.accepted_renderer.media_type) == JsonRenderer.media_type:
            return reply(kind)
        return Response(_page_context(kind), template_name="problem.html")


def problem_kind(code: str) -> ProblemKind:
    """The description of a kind of problem."""
    kind, meanings = PROBLEM_KINDS[code], member_comments(Problem)
    members = tuple(ProblemMember(name, meanings[name]) for name in kind.members)
    return ProblemKind(code, kind.status, kind.title, kind.meaning, kind.remedy, members)


def _page_context(kind: ProblemKind) -> dict[str, Any]:
    """The texts of a problem's page."""
    return {
        "kind": kind,
        "meaning": code_markup(kind.meaning),
        "remedy": code_markup(kind.remedy),
        "members": [(member.name, code_markup(member.meaning)) for member in kind.members],
        "phrase": HTTPStatus(kind.status).phrase,
        "docs": reverse("docs"),
    }


def code_markup(text: str) -> SafeString:
    """A text as HTML: names between backticks are code."""
    parts = text.split("`")
    template = "".join("<code>{}</code>" if place % 2 else "{}" for place in range(len(parts)))
    return format_html(template, *parts)


class OpenApiEndpoint(Endpoint):
    """The OpenAPI 3.1 document of this API."""

    query = ApiDocumentQuery
    cache_control = "public, max-age=300"
    may_be_compressed = True

    @operation("openapi", reply=ApiDocument, query=ApiDocumentQuery)
    @refused_with("unknown-rules")
    def get(self, request: Request) -> Response:
        """Get the OpenAPI document of this API; with `rules`, one for clients that play this
        ruleset alone. Games under the rules that it leaves out have options, actions, news and
        views that it does not describe."""
        query = self.parse_query(request)
        slug = query.get("rules")
        if slug is not None and slug not in ENGINES:
            raise Refusal("unknown-rules", f"There is no ruleset {slug}.")
        versions = query.get("versions", "newest" if slug else "all")
        return Response(document_of(selected_rulesets(slug, versions)))


class DocsEndpoint(Endpoint, SpectacularSwaggerView):
    """The interactive documentation of this API; the page brings its own assets."""

    cache_control = "public, max-age=300"
    may_be_compressed = True
    url_name = "openapi"

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Let the page run only its own scripts: those of this server, and its inline one."""
        final_response = super().finalize_response(request, response, *args, **kwargs)
        if final_response.status_code == 200 and final_response.accepted_media_type == "text/html":
            final_response.data["csrf_token"] = ""  # keys need none, and so the page stays the same
            final_response.add_post_render_callback(_add_content_security_policy)
        return final_response


def _add_content_security_policy(response: Any) -> None:
    """Allow the inline scripts of the page by their hashes."""
    hashes = "".join(
        f" 'sha256-{_script_hash(script)}'"
        for script in INLINE_SCRIPT_PATTERN.findall(response.content)
    )
    response["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; font-src 'self' data:; connect-src 'self';"
        " frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )


def _script_hash(script: bytes) -> str:
    return b64encode(sha256(script).digest()).decode()
