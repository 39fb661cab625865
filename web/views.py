"""The shells of the pages. They hold no data: scripts fill them through the API."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.clickjacking import xframe_options_exempt

from web import assets, csp, guides


class ReadOnlyView(View):
    """A resource that can be read."""

    def http_method_not_allowed(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The refusal as a problem, like those of the API."""
        problem = {
            "type": "/api/v1/problems/method-not-allowed",
            "title": "Method not allowed",
            "status": 405,
            "code": "method-not-allowed",
            "detail": f"This can be read; it does not know {request.method}.",
        }
        response = JsonResponse(problem, status=405, content_type="application/problem+json")
        response["Allow"] = "GET, HEAD, OPTIONS"
        return response


class Asset(ReadOnlyView):
    """A script or a style, which browsers keep: another version has another address."""

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        """The file as it is served."""
        try:
            content = assets.served(name)
        except LookupError:
            raise Http404 from None
        content_type = assets.TYPES[f".{name.rpartition('.')[2]}"]
        response = HttpResponse(content, content_type=content_type)
        response["Cache-Control"] = "max-age=315360000, public, immutable"
        vars(response)["may_be_compressed"] = content_type.startswith("text/")
        return response


class GuideFile(ReadOnlyView):
    """A file of the guides, as it was written."""

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        """The file, which browsers keep but ask for each time."""
        file = guides.files().get(name)
        if file is None:
            raise Http404
        content_type = guides.TYPES[file.suffix]
        response = HttpResponse(file.read_bytes(), content_type=content_type)
        response["Cache-Control"] = "no-cache"
        vars(response)["may_be_compressed"] = content_type.startswith("text/")
        return response


@method_decorator(xframe_options_exempt, name="dispatch")  # the policies have `frame-ancestors`
class Shell(ReadOnlyView):
    """A page without data, the same for all; `address` is in its path."""

    page: ClassVar[str] = ""
    policy: ClassVar[str] = csp.PAGE_POLICY
    content_type: ClassVar[str] = "text/html; charset=utf-8"

    def get(self, request: HttpRequest, **address: str) -> HttpResponse:
        """The shell, which browsers keep but ask for each time: its assets change their address."""
        context = {
            "assets": f"{settings.STATIC_URL}{assets.PREFIX}",
            "origin": request.build_absolute_uri("/")[:-1],
            **address,
        }
        response = render(request, f"web/{self.page}", context, content_type=self.content_type)
        response["Cache-Control"] = "no-cache"
        response["Content-Security-Policy"] = self.policy
        vars(response)["may_be_compressed"] = True
        return response


def missing(request: HttpRequest) -> HttpResponse:
    """The page of an address that there is not."""
    response = Shell(page="missing.html").get(request)
    response.status_code = 404
    return response


class EmbeddedShell(Shell):
    """A table for pages of other sites, which may frame it."""

    policy = csp.EMBEDDED_POLICY
