"""What does every response carry? A Request-Id to ask about it, and an explicit Cache-Control."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api import vitals


def courtesies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """The outermost middleware: it also sees what the others answer."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        begun = perf_counter()
        response = get_response(request)
        vitals.count(request, response.status_code, perf_counter() - begun)
        response["Request-Id"] = f"req_{uuid.uuid4().hex}"
        response.setdefault("Cache-Control", "no-store")
        return response

    return respond
