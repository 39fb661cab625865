"""The root URL configuration: the routes of the project. Errors outside the API are answered like
those of the API, but a page that is missing by a page."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string

from api import clock_advance, errors, metrics, readiness, service_endpoints
from web import views

DOCUMENT_TYPES: Final = ["application/problem+json", "application/json", "text/html"]

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1", include("api.urls")),
    path(
        "api/v1/",
        service_endpoints.EntryPointEndpoint.as_view(schema=None),
        name="entry-point-slash",
    ),
    # where operators look for them
    path("healthz", service_endpoints.HealthEndpoint.as_view(schema=None), name="top-health"),
    path("readyz", readiness.ReadinessEndpoint.as_view(schema=None), name="top-ready"),
    path("metrics", metrics.MetricsEndpoint.as_view(schema=None), name="top-metrics"),
    path("record/", include("api.record_urls")),
    path("witness/", include("api.witness_urls")),
    path("", include("web.urls")),
]
if settings.ADMIN:
    urlpatterns.insert(0, path(f"{settings.ADMIN}/", import_string("desk.pages.desk").urls))
if settings.TEST_CLOCK:
    urlpatterns.insert(
        0, path("test/advance", clock_advance.AdvanceEndpoint.as_view(), name="advance-clock")
    )
handler400 = "api.errors.bad_request"
handler404 = "config.urls.not_found"
handler500 = "api.errors.internal_error"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404: a page for browsers that look for one, a problem for all others."""
    is_page = request.get_preferred_type(DOCUMENT_TYPES) == "text/html"
    is_read = request.method in ("GET", "HEAD")
    if is_page and is_read and not request.path.startswith("/api/"):
        response = views.missing(request)
    else:
        response = errors.not_found(request, exception)
    patch_vary_headers(response, ["Accept"])
    return response
