"""The API client of the tests, with or without a key; each response must be described."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.test import Client
from django.test.client import ClientHandler

from api.keys import ALL_SCOPES, create_key
from games.models import Account
from tests.api import quick_comparison
from tests.api.contract import ENDLESS, contract


class Program(Client):
    """A client that sends a key, and rejects responses that the document does not promise."""

    def __init__(self, secret: str = "") -> None:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        super().__init__(raise_request_exception=False, headers=headers)
        self.handler = loaded_handler()
        self.secret = secret

    def request(self, **request: Any) -> Any:
        """Send a request, and check the response against the document."""
        environ: Any = self._base_environ(**request)  # type: ignore[attr-defined]  # of Django
        with quick_comparison.compared(environ) as compare:
            response: Any = super().request(**request)
            compare(response)
        content = b""
        if not response.streaming:
            content = response.content
        elif not response.headers["Content-Type"].startswith(ENDLESS[0]) and not response.is_async:
            content = b"".join(response.streaming_content)
            response.streaming_content = [content]
        path, method = request["PATH_INFO"], request["REQUEST_METHOD"]
        contract().check(method, path, response.status_code, response.headers, content)
        return response

    def send(self, path: str, body: Any = None, method: str = "POST", **extra: Any) -> Any:
        """Send a JSON document."""
        kind = extra.pop("content_type", "application/json")
        generic: Any = self.generic
        return generic(method, path, "" if body is None else encoded(body), kind, **extra)


@cache
def loaded_handler() -> ClientHandler:
    """The service with its middleware, which reads all static files when it is loaded."""
    handler = ClientHandler(enforce_csrf_checks=False)
    handler.load_middleware()
    return handler


def encoded(body: Any) -> Any:
    """A body as it is sent: bytes and strings unchanged, anything else as JSON."""
    return body if isinstance(body, bytes | str) else json.dumps(body)


def program_of(account: Account, *scopes: str, **options: Any) -> Program:
    """A program of that account, with a key for these scopes (by default all)."""
    granted_scopes = scopes or ALL_SCOPES
    return Program(create_key(account, "test", granted_scopes, options.get("expires"))[1])
