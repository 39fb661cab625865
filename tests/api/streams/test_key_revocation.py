"""Streams and long polls end when their key is revoked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.keys import ALL_SCOPES, Caller, create_key, rotate_key
from api.models import Key
from api.streams import key_revocation
from api.streams.database_threads import run_in_thread
from api.streams.feeds import GameFeed
from api.streams.formats import NdjsonFormat
from api.streams.long_poll import LongPoll, WaitCondition
from games import services
from tests.api.streams.inside import (
    RESPONSE_START,
    StreamClient,
    close_thread_connections,
    new_hub,
    read_stream,
)
from tests.api.streams.serving import LINES, Stream, Web
from tests.api.world import World
from tests.config.processes import PATIENCE
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

PROMISED: Final = 5.0  # seconds


@pytest.fixture(scope="module")
def web_without_heartbeat(kept: Kept) -> Iterator[Web]:
    """A server whose streams send no heartbeat: their clients receive only the end."""
    served = Web(kept, TABULARIUM_STREAM_HEARTBEAT="3600")
    yield served
    served.close()


@contextmanager
def three_streams(web: Web, game: str, secret: str) -> Iterator[list[Stream]]:
    """A stream of an account and two of a game."""
    paths = ["/me/stream", f"/games/{game}/stream?after=4", f"/games/{game}/stream?as=onlooker"]
    with (
        web.listening(paths[0], secret, Accept=LINES) as account_stream,
        web.listening(paths[1], secret, Accept=LINES) as seat_stream,
        web.listening(paths[2], secret, Accept=LINES) as onlooker_stream,
    ):
        yield [account_stream, seat_stream, onlooker_stream]


def all_end(streams: list[Stream]) -> bool:
    """Whether all streams end; a client that receives nothing for too long raises."""
    return all(isinstance(list(stream.lines()), list) for stream in streams)


class TestStreams:
    @pytest.mark.lane("processes")
    def test_end_when_another_process_deletes_their_key(
        self, web_without_heartbeat: Web, world: World
    ) -> None:
        game = world.playing()
        key, secret = create_key(world.ada, "", ALL_SCOPES, None)
        with three_streams(web_without_heartbeat, game, secret) as streams:
            Key.objects.filter(pk=key.pk).delete()
            assert all_end(streams)
        for path in ("/me/stream", f"/games/{game}/stream"):
            status, _, problem = web_without_heartbeat.ask("GET", path, secret)
            assert (status, problem["code"]) == (401, "unauthorized")

    def test_end_when_their_server_deletes_their_key(
        self, web_without_heartbeat: Web, world: World
    ) -> None:
        key, secret = create_key(world.ada, "", ALL_SCOPES, None)
        with three_streams(web_without_heartbeat, world.playing(), secret) as streams:
            assert (
                web_without_heartbeat.ask("DELETE", f"/me/keys/{key.pk}", world.as_ada.secret)[0]
                == 204
            )
            assert all_end(streams)

    @pytest.mark.lane("processes")
    def test_end_when_their_key_is_rotated_and_the_overlap_is_over(
        self, web_without_heartbeat: Web, world: World
    ) -> None:
        key, secret = create_key(world.ada, "", ALL_SCOPES, None)
        with three_streams(web_without_heartbeat, world.playing(), secret) as streams:
            rotate_key(key, timedelta(seconds=1))
            assert all_end(streams)

    def test_end_when_their_key_expires(self, web_without_heartbeat: Web, world: World) -> None:
        end = timezone.now() + timedelta(hours=1)
        key, secret = create_key(world.ada, "", ALL_SCOPES, end)
        with three_streams(web_without_heartbeat, world.playing(), secret) as streams:
            Key.objects.filter(pk=key.pk).update(expires=timezone.now())
            assert all_end(streams)

    def test_end_when_their_account_is_banned(
        self, web_without_heartbeat: Web, world: World
    ) -> None:
        _, secret = create_key(world.ada, "", ALL_SCOPES, None)
        with three_streams(web_without_heartbeat, world.playing(), secret) as streams:
            services.ban_account(world.ada.pk, "It floods.")
            assert all_end(streams)
        status, _, problem = web_without_heartbeat.ask("GET", "/me/stream", secret)
        assert (status, problem["code"]) == (403, "account-banned")

    def test_of_other_keys_go_on(self, web_without_heartbeat: Web, world: World) -> None:
        game = world.playing()
        key, secret = create_key(world.ada, "", ALL_SCOPES, None)
        path = f"/games/{game}/stream?after=4"
        with web_without_heartbeat.listening(path, world.as_bob.secret, Accept=LINES) as other:
            with web_without_heartbeat.listening(path, secret, Accept=LINES) as stream:
                key.delete()
                assert all_end([stream])
            services.resign_seat(game, 0)
            assert [item["seq"] for item in other.items()] == [5, 6]


# -- in this process ------------------------------------------------------------------------------


@pytest.fixture
def stream_world(kept_here: Kept) -> Iterator[World]:
    """Some accounts in a database that the threads of streams read."""
    close_thread_connections()
    yield World()
    close_thread_connections()


def seqs_after_deletion(
    monkeypatch: pytest.MonkeyPatch, world: World, pause_seconds: float = PATIENCE
) -> list[int]:
    """The seqs that a stream sends when its key is deleted and the game goes on."""
    game = world.playing()
    key, _ = create_key(world.ada, "", ALL_SCOPES, None)
    user = Caller(world.ada.pk, key.pk, frozenset(ALL_SCOPES), None)
    client = StreamClient()

    async def play_on(reader: asyncio.Task[StreamClient]) -> None:
        await run_in_thread(key.delete)
        await asyncio.wait([reader], timeout=pause_seconds)
        await run_in_thread(services.resign_seat, game, 1)

    async def listen() -> None:
        feed = GameFeed(game, world.ada.pk, 0, 4)
        reader = asyncio.create_task(read_stream(feed, NdjsonFormat, client, user))
        await play_on(reader)
        await reader

    with new_hub(monkeypatch) as watch:
        asyncio.run(listen())
        watch.close()
    return [entry["seq"] for entry in client.items()]


def test_a_request_that_waits_is_answered_with_what_was_true_before(
    stream_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, _ = create_key(stream_world.ada, "", ALL_SCOPES, None)
    user: Any = SimpleNamespace(
        user=Caller(stream_world.ada.pk, key.pk, frozenset(ALL_SCOPES), None)
    )
    client = StreamClient()

    def has_happened() -> bool:  # nothing has, but the key is deleted
        Key.objects.filter(pk=key.pk).delete()
        return False

    async def wait() -> None:
        long_poll = LongPoll(user, 3600, WaitCondition("game", has_happened, lambda: {"new": True}))
        messages: list[Any] = [*RESPONSE_START, {"type": "http.response.body", "body": b"before"}]
        async with asyncio.timeout(PATIENCE):
            await long_poll.run(messages, client.receive, client.send)

    with new_hub(monkeypatch) as watch:
        asyncio.run(wait())
        watch.close()
    assert client.parts == [b"before"]


class TestALook:
    def test_ends_what_is_told(self, stream_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        assert seqs_after_deletion(monkeypatch, stream_world) == []

    def test_is_what_ends_it(self, stream_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(key_revocation, "KEY_CHECK_INTERVAL_SECONDS", 0.05)
        monkeypatch.setattr(key_revocation, "_valid_keys", set)
        assert seqs_after_deletion(
            monkeypatch, stream_world, 10 * key_revocation.KEY_CHECK_INTERVAL_SECONDS
        ) == [5, 6]

    def test_is_frequent(self) -> None:
        assert 2 * key_revocation.KEY_CHECK_INTERVAL_SECONDS < PROMISED

    def test_is_one_query_for_all_keys(self, stream_world: World) -> None:
        keys = [create_key(stream_world.ada, "", ALL_SCOPES, None)[0].pk for _ in range(20)]
        expired = create_key(stream_world.ada, "", ALL_SCOPES, timezone.now())[0].pk
        Key.objects.filter(pk=keys[3]).delete()
        with CaptureQueriesContext(connection) as queries:
            good = key_revocation._valid_keys([*keys, expired, "key_unknown"])
        assert good == set(keys) - {keys[3]}
        assert len(queries) == 1
