"""The tools of an agent reveal nothing hidden: their replies are made of the API's replies to its
key alone, and are the same in all worlds that its seat cannot distinguish."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Queue
from typing import Any, Final

import httpx
import pytest
from django.conf import LazySettings

from ai.analysis import part_worker
from ai.models import Analysis, Part
from games import selectors
from tests.api.program import Program
from tests.api.test_analyses import game_with_choice
from tests.api.test_two_worlds import ATTEMPTS
from tests.api.world import BASE, World
from tests.api.worlds_alike import WORLDS, worlds_alike
from tests.clients.agents.agent import Agent, agent_within
from tests.games.sitting import SLUG

SERVER: Final = "http://testserver"
STEPS: Final = 17  # actions before
CHANGING: Final = re.compile(r"req_[0-9a-f]{32}")
PASSED: Final = ("Authorization", "Idempotency-Key", "Content-Type")
Answer = Callable[[httpx.Request], httpx.Response]


def answer(request: httpx.Request) -> httpx.Response:
    """The service's reply to a request."""
    headers = {name: request.headers[name] for name in PASSED if name in request.headers}
    path = request.url.raw_path.decode()
    content_type = headers.pop("Content-Type", "application/octet-stream")
    generic: Any = Program().generic
    response = generic(request.method, path, request.content, content_type, headers=headers)
    return httpx.Response(
        response.status_code, headers=dict(response.headers), content=response.content
    )


def answer_with_workers(request: httpx.Request) -> httpx.Response:
    """The same, with workers who finish an analysis as soon as it is requested."""
    response = answer(request)
    if request.url.path.endswith("/analyses"):
        name = response.json()["id"]
        for number in range(Part.objects.filter(analysis=name).count()):
            part_worker.work_on_part(name, number)
    return response


def replies(
    key: str, game: str, answered: Answer, use_agent: Callable[[Agent, str], Awaitable[None]]
) -> list[str]:
    """The replies of the tools to an agent with this key. It runs in another thread, and this one,
    which has the test's transaction, answers its requests."""
    requests: Queue[tuple[httpx.Request, Future[httpx.Response]] | None] = Queue()

    async def pass_on(request: httpx.Request) -> httpx.Response:
        future: Future[httpx.Response] = Future()
        requests.put((request, future))
        return await asyncio.wrap_future(future)

    async def use() -> list[str]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(pass_on))
        async with http, agent_within(SERVER, key=key, http=http) as agent:
            await use_agent(agent, game)
            return [CHANGING.sub("", reply) for reply in agent.replies]

    with ThreadPoolExecutor(1) as pool:
        used = pool.submit(asyncio.run, use())
        used.add_done_callback(lambda _: requests.put(None))
        while (request := requests.get()) is not None:
            try:
                request[1].set_result(answered(request[0]))
            except BaseException as failure:  # noqa: BLE001  # the agent's thread reports it
                request[1].set_exception(failure)
        return used.result()


async def use_tools(agent: Agent, game: str) -> None:
    """Call the tools that change nothing, and try illegal actions."""
    await agent.tools()
    for view in ({}, {"seat": 0}, {"seat": 1}):
        await agent.reply("look", {"game": game, **view})
        await agent.reply("look", {"game": game, "since": STEPS, **view})
    await agent.reply("wait_for_turn", {"game": game, "within": 0, "after": 3})
    await agent.reply("list_games", {})
    await agent.reply("verify_game", {"game": game})
    for seat in (0, 1):
        token, offers = await all_offers(agent, game, seat)
        for action in attempts(offers):
            arguments = {"game": game, "seat": seat, "choice": token}
            _, is_refusal = await agent.reply("act", {**arguments, "action": action})
            assert is_refusal


async def all_offers(agent: Agent, game: str, seat: int) -> tuple[str, list[Any]]:
    """The token of a seat's choice, and its offers from all pages; none if it has no choice."""
    offers: list[Any] = []
    page: dict[str, Any] = {"next_first": 0}
    while "next_first" in page:
        asked = {"game": game, "seat": seat, "first": page["next_first"], "details": True}
        page, is_refusal = await agent.reply("offers", asked)
        if is_refusal:
            return "0" * 22, []
        offers += page["offers"]
    return page["choice"], offers


def attempts(offers: list[Any]) -> Iterator[Any]:
    """Actions that are not among the offers."""
    legal = [offer["action"] for offer in offers]
    for attempt in ATTEMPTS:
        members = {name: each for name, each in attempt.items() if name != "kind"}
        action = {"type": f"{SLUG}.{attempt['kind']}", **members}
        if action not in legal:
            yield action


@pytest.mark.lane("slow")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_replies_are_the_same_in_every_world(world: World, viewer: int | None) -> None:
    game = world.game_after(STEPS)
    program = {0: world.as_ada, 1: world.as_bob, None: world.as_eve}[viewer]
    other = world.as_bob if viewer == 0 else world.as_ada
    own, others = [], []
    for _ in worlds_alike(game, viewer):
        own.append(replies(program.secret, game, answer, use_tools))
        others.append(replies(other.secret, game, answer, use_tools))
    assert own[1:] == own[:-1]
    assert others[1:] != others[:-1]  # which shows that the worlds differ


async def take_hint(agent: Agent, game: str) -> None:
    """Take a hint, which is no refusal."""
    document, is_refusal = await agent.reply("hint", {"game": game, "simulations": 60})
    assert not is_refusal
    assert len(document["actions"]) > 1


def test_hints_are_the_same_in_every_world(world: World, settings: LazySettings) -> None:
    settings.PARTS = 2
    game = game_with_choice(world)
    hints = []
    for _ in worlds_alike(game, 0):
        hints.append(replies(world.as_ada.secret, game, answer_with_workers, take_hint))
        Analysis.objects.all().delete()
    assert hints == hints[:1] * WORLDS


def test_they_are_made_of_the_replies_to_the_own_key_alone(world: World) -> None:
    game, key = world.game_after(STEPS), world.as_ada.secret
    recorded: list[tuple[str, httpx.Response]] = []

    def record(request: httpx.Request) -> httpx.Response:
        assert request.headers.get("Authorization") in (None, f"Bearer {key}")
        response = answer(request)
        recorded.append((str(request.url), response))
        return httpx.Response(response.status_code, content=response.content)

    def repeat(request: httpx.Request) -> httpx.Response:
        url, response = recorded.pop(0)
        assert str(request.url) == url
        return httpx.Response(response.status_code, content=response.content)

    first = replies(key, game, record, use_tools)
    assert selectors.game_projection(game).phase == "playing"
    assert len(recorded) > len(first) / 2
    assert all(url.startswith(f"{SERVER}{BASE}") for url, _ in recorded)
    assert replies(key, game, repeat, use_tools) == first
    assert not recorded
