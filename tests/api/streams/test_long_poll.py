"""Long polling: a response waits as long as the client prefers, but no longer than needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from ai.analysis import part_worker
from ai.models import Analysis
from api.streams.long_poll import LongPoll, WaitCondition
from games import selectors, services
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.projection.projection import Projection
from tests.api.streams.inside import RESPONSE_START, StreamClient, close_thread_connections, new_hub
from tests.api.streams.serving import Web
from tests.api.world import World
from tests.config.processes import PATIENCE, soon
from tests.games.sitting import act, some_action
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

WAITING = 20  # more than there are threads for requests
ENOUGH = 0.3  # seconds in which a request usually arrives; if not, the test still holds
Answer = Future[Any]


@contextmanager
def sent_requests(web: Web, count: int, *request: Any, **headers: str) -> Iterator[list[Answer]]:
    """The responses to a request that is sent this many times at once."""
    with ThreadPoolExecutor(count) as threads:
        yield [threads.submit(web.ask, *request, **headers) for _ in range(count)]


def game_before_bobs_turn(world: World) -> tuple[str, dict[str, Any]]:
    """A game, and an action of Ada's after which only Bob is awaited."""
    game, rng = world.playing(), FastRng(3)
    while (table := selectors.game_projection(game)).phase == "playing":
        seat, action = some_action(table, rng)
        if seat == 0 and awaited_after(table, action) == 1 << 1:
            return game, {"seat": 0, "choice": table.choice_token(0), "action": action}
        services.append_action(game, seat, action, choice=table.choice_token(seat))
    return game_before_bobs_turn(world)


def awaited_after(table: Projection, action: Any) -> int:
    """The seats that the game will most likely wait for."""
    state: Any = table.state
    next_state = state.clone()
    next_state.apply(0, table.engine.encode(state, 0, action), FastRng(3))
    return int(next_state.to_act)


def answer_until_ada_is_awaited(game: str) -> None:
    """Play for Bob until Ada is awaited."""
    while not (table := selectors.game_projection(game)).is_awaited(0) and table.phase == "playing":
        act(game, table, FastRng(5))


class TestTheLog:
    def test_answers_as_soon_as_there_is_something(self, web: Web, world: World) -> None:
        game = world.playing()
        path = f"/games/{game}/log?after=4"
        with sent_requests(web, 1, "GET", path, Prefer="wait=25") as (pending,):
            sleep(ENOUGH)
            assert not pending.done()
            services.resign_seat(game, 0)
            status, headers, page = pending.result(PATIENCE)
        assert status == 200
        assert headers["Preference-Applied"] == "wait=25"
        assert page["items"][0]["seq"] == 5
        assert page["items"] == web.ask("GET", path)[2]["items"][: len(page["items"])]

    def test_answers_when_nothing_has_happened(self, web: Web, world: World) -> None:
        game = world.playing()
        path = f"/games/{game}/log?after=4"
        status, headers, page = web.ask("GET", path, Prefer="respond-async, wait=1")
        assert (status, page) == (200, {"items": [], "next_after": None})
        assert headers["Preference-Applied"] == "wait=1"

    def test_answers_at_once_where_there_is_something(self, web: Web, world: World) -> None:
        game = world.playing()
        for _ in range(3):  # three waits would exceed any timeout
            _, headers, page = web.ask("GET", f"/games/{game}/log", Prefer="wait=25")
            assert len(page["items"]) == 4
            assert headers["Preference-Applied"] == "wait=25"

    @pytest.mark.parametrize("prefer", ["wait", "wait=soon", "handling=strict", "wait=-1"])
    def test_what_it_does_not_understand_is_no_wish(
        self, web: Web, world: World, prefer: str
    ) -> None:
        game = world.playing()
        response = web.ask("GET", f"/games/{game}/log?after=4", Prefer=prefer)
        assert response[0] == 200
        assert "Preference-Applied" not in response[1]

    def test_those_who_wait_keep_no_thread(self, kept: Kept, world: World) -> None:
        game = world.playing()
        web = Web(kept)  # with the usual number of streams per caller
        path = f"/games/{game}/log?after=4"
        try:
            with sent_requests(web, WAITING, "GET", path, Prefer="wait=25") as pending:
                sleep(ENOUGH)
                assert web.ask("GET", "/healthz")[0] == 200
                assert not any(response.done() for response in pending)
                services.resign_seat(game, 0)
                assert [response.result(PATIENCE)[0] for response in pending] == [200] * len(
                    pending
                )
        finally:
            web.close()

    def test_those_for_whom_there_is_no_place_do_not_wait(self, web: Web, world: World) -> None:
        game, secret = world.playing(), world.as_ada.secret
        with ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(web.listening("/me/stream", secret))
            path = f"/games/{game}/log?after=4"
            status, headers, page = web.ask("GET", path, secret, Prefer="wait=25")
            assert (status, page) == (200, {"items": [], "next_after": None})
            assert "Preference-Applied" not in headers


class TestActions:
    def test_answer_when_it_is_ones_turn_again(self, web: Web, world: World) -> None:
        game, body = game_before_bobs_turn(world)
        path = f"/games/{game}/actions"
        request = ("POST", path, world.as_ada.secret, body)
        with sent_requests(web, 1, *request, Prefer="wait=25") as (pending,):
            assert soon(lambda: not selectors.game_projection(game).is_awaited(0))
            answer_until_ada_is_awaited(game)
            status, headers, result = pending.result(PATIENCE)
        assert status == 201
        assert headers["Preference-Applied"] == "wait=25"
        assert 0 in result["to_act"]
        assert result["choice"]["is_awaited"]
        assert result["receipt"]["seq"] == result["seq"]
        assert result["choice"] == web.ask("GET", f"/games/{game}/choice", world.as_ada.secret)[2]

    def test_answer_when_the_game_is_over(self, web: Web, world: World) -> None:
        game, body = game_before_bobs_turn(world)
        request = ("POST", f"/games/{game}/actions", world.as_ada.secret, body)
        with sent_requests(web, 1, *request, Prefer="wait=25") as (pending,):
            assert soon(lambda: not selectors.game_projection(game).is_awaited(0))
            services.resign_seat(game, 1)
            result = pending.result(PATIENCE)[2]
        assert result["result"] is not None
        assert result["to_act"] == []

    def test_answer_when_nobody_does(self, web: Web, world: World) -> None:
        game, body = game_before_bobs_turn(world)
        request = ("POST", f"/games/{game}/actions", world.as_ada.secret, body)
        status, headers, result = web.ask(*request, Prefer="wait=1")
        assert (status, headers["Preference-Applied"]) == (201, "wait=1")
        assert result["to_act"] == [1]

    def test_a_refusal_is_not_held_back(self, web: Web, world: World) -> None:
        game, body = game_before_bobs_turn(world)
        request = ("POST", f"/games/{game}/actions", world.as_bob.secret, body)
        assert web.ask(*request, Prefer="wait=25")[0] == 403


class TestAnAnalysis:
    def new_analysis(self, web: Web, world: World, simulations: int) -> tuple[str, str]:
        """An analysis that no worker has begun: its id and its path."""
        seat = selectors.game_projection(game := world.over(), 4).awaited_seats > 1
        body = {"seat": int(seat), "seq": 4, "simulations": simulations}
        path = f"/games/{game}/analyses"
        status, _, analysis = web.ask("POST", path, world.as_ada.secret, body)
        assert (status, analysis["state"]) == (202, "waiting")
        return analysis["id"], f"/analyses/{analysis['id']}"

    def test_answers_when_it_has_ended(self, web: Web, world: World) -> None:
        name, path = self.new_analysis(web, world, 50)
        with sent_requests(web, 1, "GET", path, Prefer="wait=25") as (pending,):
            sleep(ENOUGH)
            assert not pending.done()
            part_worker.work_on_part(name, 0)
            status, headers, analysis = pending.result(PATIENCE)
        assert (status, headers["Preference-Applied"]) == (200, "wait=25")
        assert analysis["state"] == "done"
        assert analysis["position"]["simulations"] == 50

    def test_answers_how_far_it_is_when_it_takes_longer(self, web: Web, world: World) -> None:
        _, path = self.new_analysis(web, world, 50)
        _, headers, analysis = web.ask("GET", path, Prefer="wait=1")
        assert headers["Preference-Applied"] == "wait=1"
        assert (analysis["state"], analysis["progress"]) == ("waiting", {"done": 0, "of": 1})


class TestAThought:
    def test_answers_when_the_search_has_been_repeated(self, web: Web, world: World) -> None:
        game = world.searched_over()
        request = ("GET", f"/games/{game}/log/6/thought", world.as_eve.secret)
        with sent_requests(web, 1, *request, Prefer="wait=25") as (pending,):
            sleep(ENOUGH)
            assert not pending.done()
            part_worker.work_on_part(Analysis.objects.get(game=game).pk, 0)
            status, headers, thought = pending.result(PATIENCE)
        assert (status, headers["Preference-Applied"]) == (200, "wait=25")
        assert thought["state"] == "done"
        assert thought["findings"]["is_same"]


@pytest.fixture
def thread_database(kept_here: Kept) -> Iterator[Kept]:
    """A database that the threads of streams read."""
    close_thread_connections()
    yield kept_here
    close_thread_connections()


@pytest.mark.usefixtures("thread_database")
class TestADatabaseThatIsAway:
    """The response is still held back; if the log can never be read, it is given at once."""

    @pytest.mark.parametrize(
        "problem", [OperationalError("cut"), ConnectionResetError("gone"), BrokenLog(2, "misfits")]
    )
    def test_is_asked_again(self, monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
        checks = checks_until_answer(monkeypatch, condition_failing_twice(problem))
        assert checks == (1 if isinstance(problem, BrokenLog) else 3)


def condition_failing_twice(problem: Exception) -> Callable[[int], bool]:
    """A condition that is true, but raises on the first two checks."""

    def has_happened(check_count: int) -> bool:
        if check_count < 3:
            raise problem
        return True

    return has_happened


def checks_until_answer(
    monkeypatch: pytest.MonkeyPatch, has_happened: Callable[[int], bool]
) -> int:
    """The number of checks before the client has its response."""
    user: Any = SimpleNamespace(user=None, META={"REMOTE_ADDR": "127.0.0.1"})
    client, checks = StreamClient(), count(1)

    async def wait() -> None:
        happened = WaitCondition("game", lambda: has_happened(next(checks)), lambda: {"new": True})
        messages: list[Any] = [*RESPONSE_START, {"type": "http.response.body", "body": b"before"}]
        async with asyncio.timeout(PATIENCE):
            await LongPoll(user, 3600, happened).run(messages, client.receive, client.send)

    with new_hub(monkeypatch) as watch:
        asyncio.run(wait())
        watch.close()
    assert client.parts == [b'{"new":true}']
    return next(checks) - 1
