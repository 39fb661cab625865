"""The Python client against a server with bots: whole games of every ruleset, cut streams, lost
replies, limits and verification."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest

from tabularium_client import (
    ME,
    OPEN,
    AsyncClient,
    Client,
    KeyFile,
    Retries,
    Seed,
    TooManyRequests,
    Turn,
    WrongExport,
    bot,
    types,
    verify,
)
from tabularium_engines.installed.registry import ENGINES
from tests.clients.python.cutting import cutting
from tests.clients.python.mocking import LosingTransport, Time
from tests.clients.short_tables import SHORT_TABLES
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept, is_on_server
from tests.support.served import MANY_GUESTS, Served, serving

pytestmark = [
    pytest.mark.lane("clients"),
    pytest.mark.skipif(is_on_server(), reason="a client sees nothing of the store"),
]
CASES: Final = [
    pytest.param(slug, marks=pytest.mark.lane("smoke")) if slug == "duality" else slug
    for slug in ENGINES
]
CREATIONS: Final = 3  # of each account in an hour
LIMITS: Final = f"{MANY_GUESTS},read=1000000/60,write=1000000/60,create={CREATIONS}/3600"
RULES: Final = "law_of_the_dice"
BOT: Final = bot("random")
BUDGETS: Final = (700, 1500, 1501, 1600, 3000, 3001, 5000)  # bytes, heads included


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of this file."""
    folder = tmp_path_factory.mktemp("served")
    with serving(kept_template, folder, TABULARIUM_LIMITS=LIMITS) as served:
        yield served


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    """A client, with a guest of its own as soon as it needs one."""
    with Client(served.url) as client:
        yield client


def create_short(client: Client, slug: str) -> str:
    """A new short game."""
    table = SHORT_TABLES[slug]
    return client.create_game(rules=slug, seats=table.seats, options=table.options)["id"]


def last_offer(turn: Turn) -> types.Offer:
    """The last offer of a turn, which leads to short games in every ruleset."""
    return turn.offers[-1]


@pytest.fixture(scope="module")
def bots_game(served: Served) -> str:
    """A game of two bots, which is over."""
    with Client(served.url) as client:
        game = client.create_game(rules=RULES, seats=[BOT, BOT])["id"]
        assert soon(lambda: client.game(game)["phase"] == "over")
        return game


@pytest.mark.parametrize("slug", CASES)
def test_a_whole_game(slug: str, client: Client) -> None:
    receipts: list[types.Receipt] = []
    game = create_short(client, slug)
    end = client.play(game, last_offer, keep=receipts.append)
    assert end["phase"] == "over"
    assert end["result"] is not None
    assert end["result"]["winners"]
    entries = list(client.stream_game(game))
    assert [entry["seq"] for entry in entries] == list(range(1, end["seq"] + 1))
    mine = [entry for entry in entries if entry["seat"] == 0 and is_action(entry)]
    assert len(receipts) == len(mine)
    assert all(entries[each["seq"] - 1]["hash"] == each["hash"] for each in receipts)
    verdict = verify(client.export(game), receipts, client.proof(game)["key"])
    assert verdict.is_signed
    assert str(verdict).startswith(f"OK: {game}, {end['seq']} entries")


@pytest.mark.lane("smoke")
def test_a_whole_game_asynchronously(served: Served) -> None:
    async def play() -> tuple[types.GameView, list[int]]:
        async with AsyncClient(served.url) as client:
            options: types.NewOptions = {"points_to_win": 1}
            table = await client.create_game(rules=RULES, seats=[ME, BOT], options=options)

            async def watch() -> list[int]:
                return [entry["seq"] async for entry in client.stream_game(table["id"])]

            watching = asyncio.create_task(watch())
            end = await client.play(table["id"], last_offer)
            return end, await watching

    end, seqs = asyncio.run(play())
    assert end["result"] is not None
    assert seqs == list(range(1, end["seq"] + 1))


class TestStreams:
    def test_cut_streams_go_on_without_loss_or_repeat(
        self, client: Client, served: Served, bots_game: str
    ) -> None:
        log = client.log(bots_game, limit=1000)["items"]
        time = Time()
        with cutting(served.url, BUDGETS) as proxy:
            with Client(proxy.url, sleep=time.sleep) as watcher:
                entries = list(watcher.stream_game(bots_game))
            assert proxy.connections > len(BUDGETS)
        assert entries == log

    def test_in_the_async_client_too(self, client: Client, served: Served, bots_game: str) -> None:
        async def watch(url: str) -> list[int]:
            async with AsyncClient(url, sleep=Time().sleep_later) as watcher:
                return [entry["seq"] async for entry in watcher.stream_game(bots_game, after=2)]

        with cutting(served.url, BUDGETS) as proxy:
            seqs = asyncio.run(watch(proxy.url))
            assert proxy.connections > len(BUDGETS)
        assert seqs == list(range(3, client.game(bots_game)["seq"] + 1))

    def test_all_my_games(self, client: Client) -> None:
        game = client.create_game(rules=RULES, seats=[ME, BOT])["id"]
        for update in client.stream_me():
            if update["my_turn"]:
                break
        assert update["game"] == game
        turn = client.wait_for_turn(game)
        assert turn is not None
        assert client.take(turn, turn.offers[0], wait=0)["seq"] > update["seq"]


class TestLostReplies:
    def test_a_game_is_created_once(self, served: Served) -> None:
        time, transport = Time(), LosingTransport("POST", "/games", losses=2)
        http = httpx.Client(transport=transport)
        with http, Client(served.url, http=http, sleep=time.sleep) as client:
            game = client.create_game(rules=RULES, seats=[ME, BOT])
            assert transport.losses == 0
            assert len(time.pauses) == 2
            assert [each["id"] for each in client.my_games()["items"]] == [game["id"]]

    def test_an_action_is_done_once(self, served: Served) -> None:
        transport = LosingTransport("POST", "/actions", losses=2)
        http = httpx.Client(transport=transport)
        with http, Client(served.url, http=http, sleep=Time().sleep) as client:
            game = client.create_game(rules=RULES, seats=[ME, OPEN], wait=0)["id"]
            client.seat_bot(game, seat=1, bot="random")
            turn = client.wait_for_turn(game)
            assert turn is not None
            done = client.take(turn, turn.offers[0], wait=0)
            entries = client.log(game, after=turn.table["seq"], limit=1000)["items"]
            assert transport.losses == 0
            first = done["entries"][0]
            assert (first["seq"], first["seat"]) == (entries[0]["seq"], turn.seat)
            same_choice = [entry for entry in entries if entry["hash"] == first["hash"]]
            assert len(same_choice) == 1

    def test_one_guest_is_kept(self, served: Served, tmp_path: Path) -> None:
        keys = KeyFile(tmp_path / "keys.json")
        http = httpx.Client(transport=LosingTransport("POST", "/guests", losses=2))
        with http, Client(served.url, http=http, keys=keys, sleep=Time().sleep) as client:
            first = client.me()
        with Client(served.url, keys=keys) as again:
            assert again.me()["id"] == first["id"]


def test_the_document_of_the_server(client: Client) -> None:
    document = client.openapi()
    assert document["info"]["title"] == "Tabularium"
    assert client.key is None  # it needs none


def test_the_server_says_how_long_to_wait(served: Served) -> None:
    time = Time()
    patient = Retries(attempts=3, longest_wait=3600)
    with Client(served.url, retries=patient, sleep=time.sleep) as client:
        for _ in range(CREATIONS):
            client.create_game(rules=RULES, seats=[ME, ME])
        with pytest.raises(TooManyRequests) as caught:
            client.create_game(rules=RULES, seats=[ME, ME])
    assert caught.value.code == "too-many-requests"
    assert len(time.pauses) == 2
    assert all(600 < pause <= 1200 for pause in [*time.pauses, caught.value.retry_after or 0])


@pytest.fixture(scope="module")
def export(served: Served, bots_game: str) -> bytes:
    """The export of a game."""
    with Client(served.url) as client:
        return client.export(bots_game)


class TestVerification:
    def test_a_changed_card_is_found(self, export: bytes) -> None:
        lines = export.splitlines(keepends=True)
        seat = b'"seat":0' if b'"seat":0' in lines[5] else b'"seat":1'
        lines[5] = lines[5].replace(seat, b'"seat":7')
        with pytest.raises(WrongExport) as caught:
            verify(b"".join(lines))
        assert caught.value.line is not None

    def test_every_flipped_byte_is_found(self, export: bytes) -> None:
        random, places = Random(1), range(len(export))
        for place in random.sample(places, 40):
            changed = bytearray(export)
            changed[place] ^= 1
            with pytest.raises(WrongExport):
                verify(bytes(changed))

    def test_a_missing_end_and_a_wrong_key_are_found(self, export: bytes, tmp_path: Path) -> None:
        path = tmp_path / "game.ndjson"
        path.write_bytes(export)
        assert verify(path).sentences == verify(export).sentences
        for cut in (export[:-1], export[: export.rindex(b"\n", 0, -1) + 1]):
            with pytest.raises(WrongExport):
                verify(cut)
        with pytest.raises(WrongExport):
            verify(export, key="0" * 64)

    def test_a_receipt_for_another_hash_is_found(self, export: bytes, client: Client) -> None:
        game = create_short(client, RULES)
        receipts: list[Any] = []
        client.play(game, last_offer, keep=receipts.append)
        own = client.export(game)
        assert verify(own, receipts[:1]).is_signed
        with pytest.raises(WrongExport):
            verify(own, [receipts[0] | {"hash": "0" * 64}])
        assert verify(export, receipts).is_signed  # those of other games do not matter

    def test_the_server_agrees(self, export: bytes, client: Client) -> None:
        assert client.verify_export(export)["is_good"]
        assert client.import_game(export)["phase"] == "over"

    def test_a_seed_of_ones_own(self, client: Client) -> None:
        seed = Seed.new()
        game = client.create_game(rules=RULES, seats=[seed.seat, BOT])["id"]
        table = client.open_seed(game, seat=0, seed=seed.text)
        assert (table["phase"], table["fairness_level"]) == ("playing", 2)


def test_the_bot_goes_on_after_a_kill(served: Served, tmp_path: Path) -> None:
    """It is killed while it waits to write its first receipt to a pipe without a reader."""
    pipe = tmp_path / "receipts.ndjson"
    os.mkfifo(pipe)
    command = [sys.executable, str(ROOT / "clients/python/examples/bot.py"), served.url]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python/src")}
    process = warm_interpreter.Popen(command, cwd=tmp_path, env=environment)
    keys = KeyFile(tmp_path / "keys.json")
    assert soon(lambda: keys.load(served.url))
    with Client(served.url, keys=keys) as client:
        assert soon(lambda: client.my_games()["items"])
        (game,) = client.my_games()["items"]
        assert soon(lambda: has_acted(client, game["id"]))
        process.kill()
        process.wait()
        pipe.unlink()
        pipe.touch()
        finished = warm_interpreter.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.startswith(f"OK: {game['id']}")
        assert len(client.my_games()["items"]) == 1


def has_acted(client: Client, game: str) -> bool:
    """Whether seat 0 has acted in a game."""
    entries = client.log(game, limit=1000)["items"]
    return any(entry["seat"] == 0 and is_action(entry) for entry in entries)


def is_action(entry: types.EntryView) -> bool:
    """Whether an entry is an action of the game, not of its table."""
    action = entry["action"]
    return action is not None and not action["type"].startswith("table.")
