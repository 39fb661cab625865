"""Fixtures of tests in a real browser: Chromium, and pages whose complaints fail the test.

Playwright runs an event loop in this thread, in which Django refuses queries, so a browser lives
no longer than a file of tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.config.processes import PATIENCE
from tests.support.missing_requirements import require_chromium

if TYPE_CHECKING:  # slow to import, and most tests need none
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

FLAGS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
COMPLAINTS: Final = ("error", "warning")  # kinds of messages in the console


class Complaints:
    """Uncaught errors, and errors and warnings in consoles, among them refusals of a content
    security policy."""

    def __init__(self) -> None:
        self._heard: list[str] = []
        self._expected: list[str] = []

    def expect(self, text: str) -> None:
        """Allow complaints with this text."""
        self._expected.append(text)

    @property
    def unexpected(self) -> list[str]:
        """Those that no test expects."""
        return [each for each in self._heard if not any(text in each for text in self._expected)]

    def listen(self, context: BrowserContext) -> None:
        """Hear those of all pages in this context."""
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._heard.append(str(error.error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in COMPLAINTS:
            self._heard.append(f"{message.text} ({message.location['url']})")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    path = require_chromium()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def allow_queries() -> Iterator[None]:
    """Let Django answer in the thread in which Playwright runs its loop."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def complaints() -> Complaints:
    """The complaints of all pages of this test."""
    return Complaints()


@pytest.fixture
def new_page(chromium: Browser, complaints: Complaints) -> Iterator[Callable[..., Page]]:
    """Open a page for another person, who shares neither storage nor cache with the others; the
    arguments are those of Playwright's `new_context`."""
    with ExitStack() as contexts:

        def open_page(**options: Any) -> Page:
            context = contexts.enter_context(chromium.new_context(**options))
            context.set_default_timeout(PATIENCE * 1000)
            complaints.listen(context)
            return context.new_page()

        yield open_page
    assert not complaints.unexpected


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page."""
    return new_page()
