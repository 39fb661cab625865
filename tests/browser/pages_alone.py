"""The pages without a server: Chromium gets their shells and assets, and the answers of a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.test import Client

from web.assets import FOLDER, PREFIX

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

HERE: Final = "http://localhost"  # to a browser as trustworthy as https
BY_HTTP: Final = "http://tabularium.test"  # without `crypto.subtle`
API: Final = "/api/v1"
MODULE: Final = f"/static/{PREFIX}/"

Answer = bytes | Callable[[], Any]


class PagesAlone:
    """A page of Chromium, the answers of its server, and all that this was asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answers: dict[str, Answer] = {}  # by method and path below `/api/v1`
        self.asked: list[str] = []
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith(MODULE):
            route.fulfill(path=FOLDER / path.removeprefix(MODULE))
        elif path.startswith(API):
            self._answer_call(route, f"{route.request.method} {path.removeprefix(API)}")
        else:
            shell = Client().get(path)
            route.fulfill(status=shell.status_code, headers=dict(shell.items()), body=shell.content)

    def _answer_call(self, route: Route, call: str) -> None:
        self.asked.append(call)
        answer = self.answers[call]
        if isinstance(answer, bytes):
            route.fulfill(body=answer, content_type="application/x-ndjson")
        else:
            route.fulfill(body=json.dumps(answer()), content_type="application/json")

    def put(self, function: str, module: str, **given: Any) -> Locator:
        """The element that a function of a module makes, in place of the page's content."""
        self.page.evaluate(
            """async ([modules, module, name, given]) => {
              const { [name]: make } = await import(modules + module);
              const { api } = await import(modules + "account.js");
              window.calls = [];
              const call = (value) => void window.calls.push(value);
              const known = () => given.known ?? [];
              const element = make({ api, ...given, go: call, onOffer: call, known });
              document.getElementById("main").replaceChildren(element);
            }""",
            [MODULE, module, function, given],
        )
        return self.page.locator("#main > *")
