"""The MCP server against a server with bots, through a client of the SDK."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from mcp import MCPError, StdioServerParameters

from bench.ports import free_port
from tabularium_client import AsyncClient, KeyFile
from tabularium_client.mcp_server.pages import compact
from tabularium_client.mcp_server.server import agent_server
from tabularium_engines.installed.registry import ENGINES
from tests.clients.agents.agent import Agent, agent_of, agent_within
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


@pytest.mark.parametrize(
    "slugs", [[*ENGINES], pytest.param([RULES], marks=pytest.mark.lane("smoke"))]
)
def test_whole_games_over_stdio(served: Served, tmp_path: Path, slugs: list[str]) -> None:
    async def play() -> tuple[list[Any], list[str]]:
        async with agent_of(over_stdio(served, tmp_path)) as agent:
            ends = []
            for slug in slugs:
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


# -- other people ---------------------------------------------------------------------------------


def test_two_agents_agree_and_meet_again(served: Served) -> None:
    async def meet() -> tuple[Any, Any, Any]:
        async with agent_within(served.url) as ada, agent_within(served.url) as bob:
            table = await ada.call("create_game", rules="duality", seats=[ME, OPEN])
            game = table["game"]
            await bob.call("join_game", game=game, seat=1)
            proposed = await ada.call("propose", game=game, seat=0, of="draw")
            asked = await bob.call("wait_for_turn", game=game, after=proposed["seq"] - 1)
            answer = {"game": game, "seat": 1, "proposal": asked["proposal"]["seq"]}
            assert asked["proposal"]["asks"] == [1]
            over = await bob.call("answer_proposal", **answer, accept=True)
            await bob.call("rematch", game=game)
            return proposed, over, await ada.call("rematch", game=game)

    proposed, over, again = asyncio.run(meet())
    assert proposed["seq"] > 0
    assert (over["phase"], over["result"]["winners"]) == ("over", [0, 1])
    assert (again["phase"], again["your_seats"]) == ("playing", [1])


def test_a_hint_is_one_of_the_offers(served: Served) -> None:
    async def use(agent: Agent) -> tuple[Any, Any, Any]:
        choice = await own_turn(agent, hints=True)
        seat = {"game": choice["game"], "seat": choice["seat"]}
        hint = await agent.call("hint", **seat, simulations=20)
        seen = await agent.call("wait_for_turn", game=choice["game"], after=0)
        while "has_more_news" in seen:
            seen = await agent.call("wait_for_turn", game=choice["game"], after=seen["seq"])
        return choice, hint, seen

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
    game = table["game"]
    return await agent.call("offers", game=game, seat=seat, details=True, limit=200)


def test_an_illegal_action_is_refused_with_the_legal_ones(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {name: choice[name] for name in ("game", "seat", "choice")}
        action = {"type": f"{RULES}.play", "card": missing_card(choice)}
        refusal = await agent.refused("act", **answer, action=action)
        legal = {"offer": int(refusal["offers"][0].split()[0])}
        return refusal, choice, await agent.call("act", **answer, **legal)

    refusal, choice, done = run(served, use)
    assert refusal["code"] == "illegal-action"
    assert refusal["rule"]
    assert refusal["sentence"]
    assert refusal["errors"][0]["pointer"].startswith("/action")
    assert refusal["choice"] == choice["choice"]
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
    assert refusal["offers"]


@pytest.mark.parametrize("way", ["offer", "action"])
def test_a_stale_action_is_refused_with_the_open_choice(served: Served, way: str) -> None:
    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {"game": choice["game"], "seat": choice["seat"], "choice": "0" * 22}
        refusal = await agent.refused("act", **answer, **{way: choice["offers"][0][way]})
        return choice, refusal, await own_choice(agent, choice)

    choice, refusal, later = run(served, use)
    assert refusal["code"] == "stale-choice"
    assert refusal["choice"] == choice["choice"] == later["choice"]
    assert refusal["happened"][0].startswith("1. ")


async def own_choice(agent: Agent, choice: Any) -> Any:
    """The choice of the same seat now."""
    return await agent.call("offers", game=choice["game"], seat=choice["seat"])


def test_a_number_does_nothing_after_its_choice(served: Served) -> None:
    """The numbers of a choice that has passed are refused as long as the seat has another one."""

    async def use(agent: Agent) -> Any:
        choice = await own_turn(agent)
        answer = {name: choice[name] for name in ("game", "seat", "choice")}
        draw = next(n for n, each in enumerate(choice["offers"]) if "Draw" in each["label"])
        after = await agent.call("act", **answer, offer=draw, within=0)
        refusal = await agent.refused("act", **answer, offer=0)
        return after, refusal, await agent.call("wait_for_turn", game=choice["game"])

    after, refusal, later = run(served, use)
    assert (after["your_turn"], refusal["code"]) == (True, "stale-choice")
    assert refusal["choice"] == after["choice"] == later["choice"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "pointer"),
    [
        ("look", {}, "invalid-arguments", None),
        ("look", {"game": "game_1", "as": "seat:1"}, "invalid-arguments", None),
        ("look", {"game": "game_1", "seat": "1"}, "invalid-arguments", "/seat"),
        ("wait_for_turn", {"game": "game_1", "within": 600}, "invalid-arguments", "/within"),
        ("look", {"game": "game_1"}, "not-found", None),
        ("look", {"game": "../rules"}, "not-found", None),
        ("rules_text", {"rules": "chess"}, "not-found", None),
        ("rules_schema", {"rules": RULES, "of": "news"}, "invalid-arguments", "/of"),
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
        seats = [await agent.call("look", game=game, seat=seat) for seat in (0, 1)]
        return *seats, await agent.call("look", game=game, since=seats[0]["seq"])

    first, second, later = run(served, use)
    assert "as seat 0 sees it" in first["page"]
    assert "as seat 1 sees it" in second["page"]
    assert "page" not in later


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
    assert [seat.get("bot") for seat in started["seats"]] == [None, "random", "random"]
    assert unfinished["code"] == "not-over"
    assert (resigned["result"]["winners"], resigned["ending"]) == ([1], "resigned")


def test_an_invitation_ends_the_one_before(served: Served) -> None:
    async def use(ada: Agent) -> Any:
        table = await ada.call("create_game", rules=RULES, seats=[ME, {"kind": "invite"}, OPEN])
        game, (first,) = table["game"], table["invitations"]
        second = await ada.call("invite", game=game, seat=1)
        async with agent_within(served.url) as bob:
            join = {"game": game, "seat": 1}
            refused = await bob.refused("join_game", **join, invitation=first["invitation"])
            joined = await bob.call("join_game", **join, invitation=second["invitation"])
        return first, second, refused, joined, await ada.call("call_off_game", game=game)

    first, second, refused, joined, off = run(served, use)
    assert first.keys() == second.keys() == {"game", "seat", "invitation"}
    assert refused["code"] == "seat-kept"
    assert joined["your_seats"] == [1]
    assert off["phase"] == "over"
    assert "result" not in off


def test_a_challenge_is_declined(served: Served) -> None:
    async def use(ada: Agent) -> Any:
        async with AsyncClient(served.url) as api, agent_of(agent_server(api)) as bob:
            account = (await api.me())["id"]
            kept = {"kind": "account", "account": account}
            game = (await ada.call("create_game", rules=RULES, seats=[ME, kept]))["game"]
            asked = await bob.call("list_games", challenged=True)
            await bob.call("decline_challenge", game=game, seat=1)
            return game, asked, await bob.call("list_games", challenged=True)

    game, asked, later = run(served, use)
    assert [each["game"] for each in asked["items"]] == [game]
    assert later["items"] == []


def test_the_thought_of_a_bot_after_a_game(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        seats = [ME, {"kind": "bot", "bot": "greedy"}]
        table = {"rules": "duality", "seats": seats, "options": {"file": 3}}
        game = (await agent.call("create_game", **table))["game"]
        await agent.play(game)
        first_actions = (5, 6)  # one of the bot: few may be asked for
        replies = [
            await agent.reply("thought", {"game": game, "seq": seq}) for seq in first_actions
        ]
        return [thought for thought, is_refusal in replies if not is_refusal]

    (thought,) = run(served, use)
    assert (thought["seat"], thought["bot"]) == (1, "greedy")
    assert thought["chosen"]["label"]


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
            return compact(await client.text(game))

    assert run(served, lambda agent: agent.call("look", game=game), keys=keys)[
        "page"
    ] == asyncio.run(looked())


def test_the_catalogue(served: Served) -> None:
    async def use(agent: Agent) -> Any:
        rules = await agent.call("list_rules")
        text = await agent.call("rules_text", rules=RULES)
        schema = await agent.call("rules_schema", rules=RULES, of="action")
        return rules, text, schema, await agent.call("list_bots")

    rules, text, schema, bots = run(served, use)
    assert [each["rules"] for each in rules["items"]] == list(ENGINES)
    assert schema["schema"] == served.ask(f"/rules/{RULES}/schemas/action")
    assert text["page"] == (ROOT / "tabularium_engines" / RULES / "RULES.md").read_text()
    assert {"random", "greedy"} <= {each["name"] for each in bots["items"]}
