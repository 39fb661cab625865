"""The paths in docs/architecture.md: a real request and a bot's real turn are traced, and call the
functions that the page names, in its order."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
from django.db import connections

from ai import bot_dispatch, tasks
from api.request_ids import tracing_middleware
from api.streams.request_handoff import handoff_middleware
from config.asgi_thread_pool import ThreadPoolHandler
from games import position_cache, selectors
from tests.api.world import World
from tests.games.sitting import bot_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_messages")]

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text()
STEP: Final = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)
ENGINES: Final = f"{ROOT}/tabularium_engines/"
OTHERS: Final = ("ai", "api", "config", "games", "jobs", "tabularium_log")
PACKAGES: Final = (ENGINES, *(f"{ROOT}/{name}/" for name in OTHERS))
LAST: Final = "games.log_store.append_rows"  # whose next step is the INSERT
DRAW: Final = "tabularium_log.fairness.committed_draws.FairRng.below"
MAX_FILE_CHANGES: Final = 62  # calls that lead from one file of the project to another, until then


class Trace:
    """The calls of the project's functions, in order, each with the file that it came from."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, bool]] = []  # the function; whether another file called it

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Record a call; a profile function of Python."""
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGES):
            module = file.removeprefix(f"{ROOT}/").removesuffix(".py").replace("/", ".")
            name = frame.f_code.co_qualname.replace(".<locals>", "")
            self.calls.append((f"{module}.{name}", changes_file(frame)))

    @property
    def functions(self) -> list[str]:
        """The functions that were called."""
        return [name for name, _ in self.calls]

    def file_changes_until(self, last: str) -> int:
        """How many calls came from another file, up to the first call of a function. Draws do not
        count: each is one call, and the cards decide how many an action needs."""
        calls = self.calls[: self.functions.index(last) + 1]
        return sum(changes for name, changes in calls if name != DRAW)


def changes_file(frame: FrameType) -> bool:
    """Whether a call leads to another file. Calls among engines do not count: compiled, they are
    not seen."""
    files = caller_file(frame), frame.f_code.co_filename
    return files[0] != files[1] and not all(file.startswith(ENGINES) for file in files)


def caller_file(frame: FrameType) -> str:
    """The file of the nearest caller that is the project's own."""
    caller = frame.f_back
    while caller is not None and not caller.f_code.co_filename.startswith(PACKAGES):
        caller = caller.f_back
    return caller.f_code.co_filename if caller else ""


@contextmanager
def trace_calls() -> Iterator[Trace]:
    """Within the block, calls of this thread and of threads begun in it are recorded."""
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def lasting_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first action caches for seconds is still there at the second, on any machine."""
    monkeypatch.setattr("api.keys.KEY_CACHE_SECONDS", inf)
    monkeypatch.setattr("api.limits.token_buckets.LEASE_SECONDS", inf)


@pytest.fixture
def no_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is published."""
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", lambda message: None)
    position_cache.cache.clear()


def steps(heading: str) -> list[str]:
    """The functions that a section of the page names, in order."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return STEP.findall(section)


def assert_in_order(expected: list[str], called: list[str]) -> None:
    """Each named function is called, and after the one before it."""
    remaining = iter(called)
    assert not [name for name in expected if not any(is_call_of(name, each) for each in remaining)]


def is_call_of(name: str, called: str) -> bool:
    """Whether it is that function, or one that it made: a middleware's inner function."""
    return called == name or called.startswith(f"{name}.")


def post(application: Any, secret: str, path: str, body: Any) -> int:
    """Send a request through the ASGI application; the status."""
    headers = {"authorization": f"Bearer {secret}", "host": "localhost"}
    content = json.dumps(body).encode()
    headers |= {"content-type": "application/json", "content-length": str(len(content))}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b""}
    pieces = [{"type": "http.request", "body": content, "more_body": False}]
    messages: list[Any] = []

    async def receive() -> Any:
        return pieces.pop() if pieces else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        messages.append(message)

    asyncio.run(application({**scope, "headers": encoded}, receive, send))
    return int(messages[0]["status"])


@pytest.mark.usefixtures("lasting_caches")
def test_an_action_takes_the_path_on_the_page() -> None:
    world = World()
    game = world.playing()
    handler = ThreadPoolHandler(1)
    application = tracing_middleware(handoff_middleware(handler))
    with trace_calls() as trace:
        for number in range(2):  # the first action fills the caches
            seat = selectors.game_projection(game).awaited_seats >> 1
            secret = (world.as_ada, world.as_bob)[seat].secret
            body = world.body(game, seat)
            trace.calls.clear()
            status = post(application, secret, f"/api/v1/games/{game}/actions", body)
            assert status == 201, number
    handler._pool.submit(connections.close_all).result()
    step_names = steps("The path of an action")
    assert step_names[-1] == LAST
    assert_in_order(step_names, trace.functions)
    assert trace.file_changes_until(LAST) <= MAX_FILE_CHANGES


def test_a_bot_takes_the_path_on_the_page() -> None:
    game = bot_game()
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    with trace_calls() as trace:
        tasks.think.apply(args=[game, seat, table.choice_token(seat)])
    assert_in_order(steps("The path of a bot's move"), trace.functions)


def test_a_function_out_of_order_is_found() -> None:
    with pytest.raises(AssertionError):
        assert_in_order(["a.b", "a.c"], ["a.c", "a.b"])
