"""The MCP server against a server with bots, through a client of the SDK."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from mcp import MCPError, StdioServerParameters

from bench.ports import free_port
from games.registry import ENGINES
from tabularium_client import AsyncClient, KeyFile
from tabularium_client.mcp_server import command
from tests.clients.agents.agent import Agent, agent_of, agent_within
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept, is_on_server
from tests.support.served import MANY_GUESTS, Served, serving

pytestmark = [
    pytest.mark.lane("clients"),
    pytest.mark.skipif(is_on_server(), reason="a client sees nothing of the store"),
]
CREATIONS: Final = 6  # of each account in an hour
LIMITS: Final = f"{MANY_GUESTS},read=1000000/60,write=1000000/60,create={CREATIONS}/3600"
RULES: Final = "law_of_the_dice"
ALLOWED: Final = "games.example"
ME, OPEN = {"kind": "me"}, {"kind": "open"}
SOURCES: Final = str(ROOT / "clients/python/src")


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of this file, with bots that react at once."""
    variables = {"TABULARIUM_LIMITS": LIMITS, "TABULARIUM_GRACE_MS": "0"}
    with serving(kept_template, tmp_path_factory.mktemp("served"), **variables) as served:
        yield served


def over_stdio(served: Served, folder: Path) -> StdioServerParameters:
    """`manage.py mcp`, as a host starts it."""
    words = ["manage.py", "mcp", "--server", served.url, "--key-file", str(folder / "keys.json")]
    environment = {"TABULARIUM_DATA": str(folder)}
    return StdioServerParameters(command=sys.executable, args=words, cwd=ROOT, env=environment)


def kept_key(path: Path) -> str:
    """The only key in a file."""
    (key,) = json.loads(path.read_text()).values()
    assert key.startswith("tab_")
    return str(key)


@pytest.mark.lane("smoke")
def test_a_whole_game_of_every_ruleset_over_stdio(served: Served, tmp_path: Path) -> None:
    async def play() -> tuple[list[Any], list[str]]:
        async with agent_of(over_stdio(served, tmp_path)) as agent:
            ends = []
            for slug in ENGINES:
                game = (await agent.create_short(slug))["game"]
                end = await agent.play(game)
                ends.append((end["result"], await agent.call("verify_game", game=game)))
            return ends, agent.replies

    ends, replies = asyncio.run(play())
    for result, verdict in ends:
        assert result["winners"]
        assert verdict["is_good"]
        assert verdict["is_signed"]
        assert verdict["findings"][0].startswith(f"OK: {verdict['game']}")
    keys = tmp_path / "keys.json"
    assert keys.stat().st_mode & 0o777 == 0o600
    assert not [reply for reply in replies if kept_key(keys)[:8] in reply]


def test_the_package_alone_takes_its_settings_from_the_environment(
    served: Served, tmp_path: Path
) -> None:
    variables = {"TABULARIUM_SERVER": served.url, "XDG_CONFIG_HOME": str(tmp_path / "home")}
    words = ["-m", "tabularium_client.mcp_server"]
    host = StdioServerParameters(
        command=sys.executable, args=words, env={"PYTHONPATH": SOURCES, **variables}
    )

    async def create() -> Any:
        async with agent_of(host) as agent:
            return await agent.call("create_game", rules=RULES, seats=[ME, ME])

    game = asyncio.run(create())["game"]
    keys = tmp_path / "home" / "tabularium" / "keys.json"
    assert keys.parent.stat().st_mode & 0o777 == 0o700
    assert game in str(served.ask("/me/games", kept_key(keys)))


def test_ctrl_c_ends_it_while_it_reads(tmp_path: Path) -> None:
    words = ["-m", "tabularium_client.mcp_server", "--key-file", str(tmp_path / "keys.json")]
    process = warm_interpreter.Popen(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["instructions"]
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    process.stdin.close()
    process.stdout.close()


# -- over HTTP ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def http_port(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an MCP server over HTTP."""
    port, keys = free_port(), tmp_path_factory.mktemp("http") / "keys.json"
    words = ["--http", "--port", str(port), "--allow-host", ALLOWED, "--server", served.url]
    words += ["--rules", RULES]
    process = warm_interpreter.Popen(
        [sys.executable, "-m", "tabularium_client.mcp_server", *words, "--key-file", str(keys)],
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdout=subprocess.PIPE,
    )
    assert soon(lambda: is_open("127.0.0.1", port))
    yield port
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert output == f"For agents: http://127.0.0.1:{port}/mcp (stop with Ctrl-C)\n".encode()
    assert process.returncode == 0


def is_open(address: str, port: int) -> bool:
    """Whether there is a listener."""
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0


def test_a_whole_game_over_http(http_port: int) -> None:
    async def play() -> Any:
        async with agent_of(f"http://127.0.0.1:{http_port}/mcp") as agent:
            act = (await agent.tools())["act"].input_schema
            game = (await agent.create_short(RULES))["game"]
            end = await agent.play(game)
            return act, end, await agent.call("verify_game", game=game)

    act, end, verdict = asyncio.run(play())
    assert f"{RULES}.play" in str(act)
    assert "duality." not in str(act)
    assert end["result"]["winners"]
    assert verdict["is_good"]


def test_it_listens_on_loopback_alone(http_port: int) -> None:
    assert is_open("127.0.0.1", http_port)
    assert not is_open("127.0.0.2", http_port)  # which is open if it listens on all addresses


def test_any_other_address_needs_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--http", "--host", "0.0.0.0"])
    assert "--allow-host" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_file_that_has_no_keys(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    with pytest.raises(SystemExit):
        command.main(["--key-file", str(path)])
    assert f"{path} cannot be read" in capsys.readouterr().err


INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
MISDIRECTED, FORBIDDEN = 421, 403


def status(port: int, method: str = "POST", **headers: str) -> int:
    """The status of the reply to a request with these headers."""
    accepted = {"Accept": "application/json, text/event-stream"}
    body = INITIALIZE if method == "POST" else None
    url = f"http://127.0.0.1:{port}/mcp"
    with httpx.Client() as client:
        return client.request(method, url, headers=accepted | headers, json=body).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", ALLOWED])
def test_these_hosts_are_accepted(http_port: int, host: str) -> None:
    assert status(http_port, Host=host.format(port=http_port)) == httpx.codes.OK


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost"])
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_other_hosts_are_refused(http_port: int, method: str, host: str) -> None:
    """A name that was made to lead here does not become that of this machine."""
    assert status(http_port, method, Host=host.format(port=http_port)) == MISDIRECTED


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", f"https://{ALLOWED}"])
def test_these_origins_are_accepted(http_port: int, origin: str) -> None:
    assert status(http_port, Origin=origin.format(port=http_port)) == httpx.codes.OK


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:{port}"]
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_other_origins_are_refused(http_port: int, method: str, origin: str) -> None:
    assert status(http_port, method, Origin=origin.format(port=http_port)) == FORBIDDEN


# -- other people ---------------------------------------------------------------------------------


def test_two_agents_agree_and_meet_again(served: Served) -> None:
    async def meet() -> tuple[Any, Any, Any]:
        async with agent_within(served.url) as ada, agent_within(served.url) as bob:
            table = await ada.call("create_game", rules="duality", seats=[ME, OPEN])
            game = table["game"]
            await bob.call("join_game", game=game, seat=1)
            proposed = await ada.call("propose", game=game, seat=0, of="draw")
            seq = (await bob.call("look", game=game))["proposal"]["seq"]
            over = await bob.call("accept_proposal", game=game, proposal=seq, seat=1)
            await bob.call("rematch", game=game)
            return proposed, over, await ada.call("rematch", game=game)

    proposed, over, again = asyncio.run(meet())
    assert proposed["proposal"]["of"] == "draw"
    assert (over["phase"], over["result"]["winners"]) == ("over", [0, 1])
    assert (again["phase"], again["your_seats"]) == ("playing", [1])


def test_a_hint_is_one_of_the_offers(served: Served) -> None:
    async def use(agent: Agent) -> tuple[Any, Any, Any]:
        choice = await own_turn(agent, hints=True)
        seat = {"game": choice["game"], "seat": choice["seat"]}
        hint = await agent.call("hint", **seat, simulations=20)
        return choice, hint, await agent.call("look", game=choice["game"], after=0)

    choice, hint, seen = run(served, use)
    offered = [offer["action"] for offer in choice["offers"]]
    assert hint["actions"]
    assert all(each["action"] in offered for each in hint["actions"])
    assert "not calibrated" in hint["note"]
    assert any("takes a hint" in sentence for sentence in seen["happened"])


# -- refusals that teach --------------------------------------------------------------------------


def run(served: Served, use: Callable[[Agent], Awaitable[Any]], **options: Any) -> Any:
    """The result of a use of the tools by a new guest, in this process."""

    async def used() -> Any:
        async with agent_within(served.url, **options) as agent:
            return await use(agent)

    return asyncio.run(used())


async def own_turn(agent: Agent, **options: Any) -> Any:
    """A new game with both seats, and the choice that is open."""
    table = await agent.call("create_game", rules=RULES, seats=[ME, ME], **options)
    (seat,) = table["to_act"]
    return {"game": table["game"]} | await agent.call("offers", game=table["game"], seat=seat)


def test_an_illegal_action_is_refused_with_the_legal_ones(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {name: choice[name] for name in ("game", "seat", "choice")}
        action = {"type": f"{RULES}.play", "card": missing_card(choice)}
        refusal = await agent.refused("act", **answer, action=action)
        legal = refusal["legal"]["offers"][0]["action"]
        return refusal, choice, await agent.call("act", **answer, action=legal)

    refusal, choice, done = run(served, use)
    assert refusal["code"] == "illegal-action"
    assert refusal["rule"]
    assert refusal["sentence"]
    assert refusal["errors"][0]["pointer"].startswith("/action")
    assert refusal["legal"]["offers"] == choice["offers"][:50]
    assert done["happened"]


def missing_card(choice: Any) -> str:
    """A card that the seat cannot play."""
    cards = [f"{rank}{suit}" for rank in ("A", "7", "K") for suit in "SHDC"]
    return next(card for card in cards if f"'{card}'" not in str(choice["offers"]))


def test_a_malformed_action_is_refused_at_its_place(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {name: choice[name] for name in ("game", "seat", "choice")}
        return await agent.refused("act", **answer, action={"type": f"{RULES}.fly"})

    refusal = run(served, use)
    assert refusal["errors"][0]["pointer"] == "/action/type"
    assert refusal["legal"]["offers"]


def test_a_stale_action_is_refused_with_the_open_choice(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {"game": choice["game"], "seat": choice["seat"], "choice": "0" * 22}
        action = choice["offers"][0]["action"]
        return choice, await agent.refused("act", **answer, action=action)

    choice, refusal = run(served, use)
    assert refusal["code"] == "stale-choice"
    assert refusal["legal"]["choice"] == choice["choice"]
    assert refusal["happened"][0].startswith("1. ")


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "pointer"),
    [
        ("look", {}, "invalid-arguments", None),
        ("look", {"game": "game_1", "as": "seat:1"}, "invalid-arguments", None),
        ("look", {"game": "game_1", "seat": "1"}, "invalid-arguments", "/seat"),
        ("wait_for_turn", {"game": "game_1", "within": 600}, "invalid-arguments", "/within"),
        ("look", {"game": "game_1"}, "not-found", None),
        ("look", {"game": "../rules"}, "not-found", None),
        ("rules_text", {"slug": "chess"}, "not-found", None),
        ("create_game", {"rules": RULES, "seats": [ME]}, "wrong-seats", None),
        (
            "create_game",
            {"rules": RULES, "seats": [ME, ME], "options": {"suit_by": "lot"}},
            "invalid-options",
            "/options/suit_by",
        ),
    ],
)
def test_wrong_arguments_are_refused(
    served: Served, tool: str, arguments: Any, code: str, pointer: str | None
) -> None:
    refusal = run(served, lambda agent: agent.refused(tool, **arguments))
    assert refusal["code"] == code
    pointers = [refusal.get("pointer"), *(each["pointer"] for each in refusal.get("errors", []))]
    assert pointer in pointers


def test_a_tool_that_does_not_exist(served: Served) -> None:
    async def use(agent: Agent) -> None:
        with pytest.raises(MCPError, match="no tool of this name"):
            await agent.call("undo")

    run(served, use)


def test_a_limit_is_reported_with_the_time_to_wait(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        for _ in range(CREATIONS):
            await agent.call("create_game", rules=RULES, seats=[ME, ME])
        return await agent.refused("create_game", rules=RULES, seats=[ME, ME])

    refusal = run(served, use)
    assert (refusal["code"], refusal["limit"]) == ("too-many-requests", "create")
    assert 0 < refusal["retry_after_s"] <= 3600 / CREATIONS
    assert refusal["remedy"]


def test_a_server_that_is_away(served: Served) -> None:
    away = Served(f"http://127.0.0.1:{free_port()}", 0)

    async def use(agent: Agent) -> Any:
        with pytest.raises(MCPError, match=away.url):
            await agent.tools()
        return await agent.refused("list_rules")

    assert run(away, use, sleep=at_once)["code"] == "no-reply"


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""


def test_a_key_that_is_not_valid(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        return await agent.refused("create_game", rules=RULES, seats=[ME, ME]), agent.replies

    refusal, replies = run(served, use, key="tab_1234567890abcdef")
    assert refusal["code"] == "unauthorized"
    assert refusal["remedy"]
    assert "tab_" not in str(replies)


# -- tables ---------------------------------------------------------------------------------------


def test_a_game_between_two_agents(served: Served) -> None:
    async def use(ada: Agent) -> Any:
        options = {"points_to_win": 1}
        game = (await ada.call("create_game", rules=RULES, seats=[ME, OPEN], options=options))[
            "game"
        ]
        waited = await ada.call("wait_for_turn", game=game, within=0)
        async with agent_within(served.url) as bob:
            found = await bob.call("list_games", open=True, rules=RULES)
            joined = await bob.call("join_game", game=game, seat=1)
            mine = await bob.call("list_games", mine=True)
            end = (await asyncio.gather(ada.play(game), bob.play(game)))[0]
        return game, waited, found, joined, mine, end

    game, waited, found, joined, mine, end = run(served, use)
    assert (waited["phase"], waited["your_turn"], waited.get("page")) == ("gathering", False, None)
    assert game in [each["game"] for each in found["items"]]
    assert joined["your_seats"] == [1]
    assert [each["game"] for each in mine["items"]] == [game]
    assert end["phase"] == "over"


def test_each_of_ones_seats_looks_at_its_own_hand(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        game = (await agent.call("create_game", rules=RULES, seats=[ME, ME]))["game"]
        seats = [await agent.call("look", game=game, seat=seat, after=3) for seat in (0, 1)]
        return *seats, await agent.call("look", game=game)

    first, second, usual = run(served, use)
    assert "as seat 0 sees it" in first["page"]
    assert "as seat 1 sees it" in second["page"]
    assert usual["page"] == first["page"]
    assert first["happened"][0] == second["happened"][0] == "4. The game starts"
    assert first["happened"] != second["happened"]
    assert "happened" not in usual


def test_leaving_filling_and_resigning(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        game = (await agent.call("create_game", rules=RULES, seats=[ME, ME, OPEN]))["game"]
        left = await agent.call("leave_game", game=game, seat=1)
        started = await agent.call("start_game", game=game, fill_with="random")
        unfinished = await agent.refused("verify_game", game=game)
        duel = (await agent.call("create_game", rules=RULES, seats=[ME, OPEN]))["game"]
        await agent.call("start_game", game=duel)
        return left, started, unfinished, await agent.call("resign", game=duel, seat=0)

    left, started, unfinished, resigned = run(served, use)
    assert left["open_seats"] == [1, 2]
    assert [seat["bot"] for seat in started["seats"]] == [None, "random", "random"]
    assert unfinished["code"] == "not-over"
    assert resigned["result"]["winners"] == [1]


class ChangingTransport(httpx.AsyncHTTPTransport):
    """Changes one byte in each export."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The reply, changed."""
        response = await super().handle_async_request(request)
        if not request.url.path.endswith("/export"):
            return response
        await response.aread()
        content = response.content.replace(b'"seat":0', b'"seat":1', 1)
        assert content != response.content
        return httpx.Response(response.status_code, content=content)


def test_a_changed_export_is_found(served: Served, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")

    async def use(agent: Agent) -> Any:
        game = (await agent.create_short(RULES))["game"]
        await agent.play(game)
        http = httpx.AsyncClient(transport=ChangingTransport())
        async with http, agent_within(served.url, keys=keys, http=http) as other:
            return await other.call("verify_game", game=game)

    verdict = run(served, use, keys=keys)
    assert not verdict["is_good"]
    assert verdict["flaw"]["sentence"]
    assert verdict["flaw"]["line"]


def test_a_guest_is_kept(served: Served, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    create = {"rules": RULES, "seats": [ME, ME], "visibility": "private"}
    game = run(served, lambda agent: agent.call("create_game", **create), keys=keys)["game"]
    found = run(served, lambda agent: agent.call("list_games", mine=True), keys=keys)
    assert [each["game"] for each in found["items"]] == [game]

    async def looked() -> str:
        async with AsyncClient(served.url, keys=keys) as client:
            return await client.text(game)

    assert run(served, lambda agent: agent.call("look", game=game), keys=keys)[
        "page"
    ] == asyncio.run(looked())


def test_the_catalogue(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        rules = await agent.call("list_rules")
        text = await agent.call("rules_text", slug=RULES)
        return rules, text, await agent.call("list_bots")

    rules, text, bots = run(served, use)
    assert [each["slug"] for each in rules["items"]] == list(ENGINES)
    assert text["page"] == (ROOT / "games/engines" / RULES / "RULES.md").read_text()
    assert {"random", "greedy"} <= {each["name"] for each in bots["items"]}
