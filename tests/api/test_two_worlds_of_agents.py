"""The tools of an agent reveal nothing hidden: their replies are made of the API's replies to its
key alone, and are the same in all worlds that its seat cannot distinguish."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import Queue
from typing import Any, Final

import httpx
import pytest
from django.conf import LazySettings
from django.utils import timezone

from ai.analysis import part_worker
from ai.models import Part
from games import selectors
from tabularium_log.projection.projection import Projection
from tests.api.program import Program
from tests.api.test_two_worlds import OPEN_ACTIONS, attempts, game_where, telling_seed
from tests.api.world import BASE, World
from tests.api.worlds_alike import WORLDS, undone, worlds_alike
from tests.clients.agents.agent import Agent, agent_within

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


def tools_for(game: str) -> Callable[[Agent, str], Awaitable[None]]:
    """The use of all tools that may be used in any game that goes on."""
    tried = [body["action"] for path, body in attempts(game) if path == "actions"]
    return partial(use_tools, tried=tried)


async def use_tools(agent: Agent, game: str, tried: list[Any]) -> None:
    """Call the tools that change nothing, try illegal actions, and propose at last."""
    await agent.tools()
    for view in ({}, {"seat": 0}, {"seat": 1}):
        await agent.reply("look", {"game": game, **view})
        await agent.reply("look", {"game": game, "since": STEPS, **view})
    await agent.reply("wait_for_turn", {"game": game, "within": 0, "after": 3})
    await agent.reply("list_games", {})
    await agent.reply("verify_game", {"game": game})
    for seat in (0, 1):
        token, offers = await all_offers(agent, game, seat)
        legal = [offer["action"] for offer in offers]
        for action in (each for each in tried if each not in legal):
            arguments = {"game": game, "seat": seat, "choice": token}
            _, is_refusal = await agent.reply("act", {**arguments, "action": action})
            assert is_refusal
    await agent.reply("thought", {"game": game, "seq": STEPS})
    for seat in (0, 1):
        await agent.reply("propose", {"game": game, "seat": seat, "of": "draw"})
        document, _ = await agent.reply("look", {"game": game, "seat": seat})
        seq = document.get("proposal", {}).get("seq", STEPS)
        answer = {"game": game, "seat": seat, "proposal": seq, "accept": False}
        await agent.reply("answer_proposal", answer)
        await agent.reply("propose", {"game": game, "seat": seat, "of": "takeback", "to": seq - 1})
    await agent.reply("wait_for_turn", {"game": game, "within": 0})
    await agent.reply("list_games", {})


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


@pytest.mark.lane("slow")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_replies_are_the_same_in_every_world(world: World, slug: str, viewer: int | None) -> None:
    on_turn = viewer or 0
    if slug == OPEN_ACTIONS and viewer is not None:
        on_turn = 1 - viewer  # of that game, the seat on turn knows everything
    game = game_where(world, slug, lambda table: table.is_awaited(on_turn), STEPS)
    program = {0: world.as_ada, 1: world.as_bob, None: world.as_eve}[viewer]
    other = world.as_bob if viewer == 0 else world.as_ada
    use, now = tools_for(game), timezone.now()
    own: list[list[str]] = []
    others: list[list[str]] = []
    for _ in worlds_alike(game, viewer):
        for each, kept in ((program, own), (other, others)):
            with undone(game, now):
                kept.append(replies(each.secret, game, answer, use))
    assert own[1:] == own[:-1]
    assert others[1:] != others[:-1]  # which shows that the worlds differ


def has_choice(table: Projection) -> bool:
    """Whether seat 0 has to choose among several promising actions."""
    return table.is_awaited(0) and len(selectors.dealt_state(table).promising_actions(0)) > 1


async def take_hint(agent: Agent, game: str) -> None:
    """Take a hint, which is no refusal."""
    document, is_refusal = await agent.reply("hint", {"game": game, "simulations": 60})
    assert not is_refusal
    assert len(document["actions"]) > 1


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("is_leaky", [False, True])
def test_hints_are_the_same_in_every_world(
    world: World,
    slug: str,
    is_leaky: bool,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless the search takes its seed from the hidden cards."""
    settings.PARTS = 2
    if is_leaky:
        monkeypatch.setattr(part_worker, "decision_seed", telling_seed)
    game, now = game_where(world, slug, has_choice), timezone.now()
    hints = []
    for _ in worlds_alike(game, 0):
        with undone(game, now):
            hints.append(replies(world.as_ada.secret, game, answer_with_workers, take_hint))
    is_all_known = slug == OPEN_ACTIONS  # to the seat on turn
    assert (hints == hints[:1] * WORLDS) is (is_all_known or not is_leaky)


def test_they_are_made_of_the_replies_to_the_own_key_alone(world: World) -> None:
    game, key = world.game_after(STEPS), world.as_ada.secret
    use = tools_for(game)
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

    first = replies(key, game, record, use)
    assert selectors.game_projection(game).phase == "playing"
    assert len(recorded) > len(first) / 2
    assert all(url.startswith(f"{SERVER}{BASE}") for url, _ in recorded)
    assert replies(key, game, repeat, use) == first
    assert not recorded
