"""The URLs of the measured server."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from bench.http.plain_endpoint import PlainActions
from config.urls import urlpatterns as served


@csrf_exempt
def bare_view(request: HttpRequest) -> HttpResponse:
    """A view that does nothing."""
    return HttpResponse(b'{"done": true}', content_type="application/json")


urlpatterns = [
    *served,
    path("bare", bare_view),
    path("plain/<slug:game>/actions", PlainActions.as_view()),
]
