"""A stream sends every entry once, in order, to clients that may read it, and to no others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice, pairwise
from threading import Thread
from time import sleep
from typing import Any

import pytest
from django.db import connection

from games import selectors, services
from tests.api.streams.serving import EVENTS, LINES, Web
from tests.api.world import World
from tests.games.sitting import acting
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

CUTS = (1, 2, 3, 5, 8)  # entries that a client reads before each cut


def play(game: str, most: int = 100_000) -> None:
    """Play at most this many actions."""
    for _ in islice(acting(game), most):
        pass


@contextmanager
def playing_in_background(game: str, pause: float) -> Iterator[None]:
    """Play the game to its end in a thread, with pauses."""

    def play_on() -> None:
        try:
            for _ in acting(game):
                sleep(pause)
        finally:
            connection.close()

    playing = Thread(target=play_on)
    playing.start()
    try:
        yield
    finally:
        playing.join()


def read_log(web: Web, game: str, secret: str = "", query: str = "") -> list[Any]:
    """The whole log, read page by page."""
    entries: list[Any] = []
    while True:
        path = f"/games/{game}/log?after={len(entries)}&limit=1000{query}"
        status, _, page = web.ask("GET", path, secret)
        assert status == 200
        entries += page["items"]
        if page["next_after"] is None:
            return entries


@pytest.fixture
def game(world: World) -> str:
    """Ada against Bob."""
    return world.playing()


class TestAGameThatIsPlayed:
    def test_is_told_without_a_gap_or_a_double_however_often_one_resumes(
        self, web: Web, world: World, game: str
    ) -> None:
        seqs: list[int] = []
        with playing_in_background(game, 0.005):
            for item_count in cycle(CUTS):
                headers = {"Last_Event_ID": str(seqs[-1])} if seqs else {}
                with web.listening(
                    f"/games/{game}/stream", world.as_ada.secret, **headers
                ) as stream:
                    if stream.status == 204:
                        break
                    for seq, entry in islice(stream.events(), item_count):
                        assert int(seq) == entry["seq"]
                        seqs.append(int(seq))
        assert seqs == list(range(1, selectors.game_projection(game).seq + 1))

    def test_is_told_from_any_entry_on(self, web: Web, game: str) -> None:
        play(game)
        last = selectors.game_projection(game).seq
        for after in range(last):
            path = f"/games/{game}/stream?after={after}"
            with web.listening(path, Accept=LINES) as stream:
                assert [item["seq"] for item in stream.items()] == list(range(after + 1, last + 1))
        for seq in (last, last + 1):
            assert web.ask("GET", f"/games/{game}/stream?after={seq}")[0] == 204

    def test_is_told_by_every_process(self, web: Web, kept: Kept, world: World, game: str) -> None:
        other = Web(kept)
        try:
            with (
                web.listening(f"/games/{game}/stream?after=4", Accept=LINES) as first_stream,
                other.listening(f"/games/{game}/stream?after=4", Accept=LINES) as other_stream,
            ):
                for number, server in enumerate((web, other) * 3):
                    table = selectors.game_projection(game)
                    seat = next(seat for seat in (0, 1) if table.is_awaited(seat))
                    secret = (world.as_ada, world.as_bob)[seat].secret
                    body = world.body(game, seat)
                    assert server.ask("POST", f"/games/{game}/actions", secret, body)[0] == 201
                    seqs = [next(stream.items())["seq"] for stream in (first_stream, other_stream)]
                    assert seqs == [5 + number] * 2
        finally:
            other.close()

    @pytest.mark.lane("processes")
    def test_is_told_on_when_the_server_is_killed(self, web: Web, game: str) -> None:
        seqs: list[int] = []
        with playing_in_background(game, 0.01):
            while True:
                headers = {"Last_Event_ID": str(seqs[-1])} if seqs else {}
                with web.listening(f"/games/{game}/stream", **headers) as stream:
                    if stream.status == 204:
                        break
                    seqs += [int(seq) for seq, _ in islice(stream.events(), 20)]
                    web.process.kill()
                    web.process.wait()
                    web.start()
        assert seqs == list(range(1, selectors.game_projection(game).seq + 1))

    def test_ends_with_its_last_entry(self, web: Web, game: str) -> None:
        with web.listening(f"/games/{game}/stream", Accept=LINES) as stream:
            services.resign_seat(game, 0)
            *_, last = stream.items()
            assert last["action"]["type"] == "table.end"


class TestWhatIsHidden:
    def test_a_stream_tells_what_the_log_tells_that_reader(
        self, web: Web, world: World, game: str
    ) -> None:
        play(game, most=12)
        assert selectors.game_projection(game).phase == "playing"
        logs = []
        for secret, query in (
            (world.as_ada.secret, ""),
            (world.as_ada.secret, "&as=onlooker"),
            (world.as_bob.secret, "&as=seat:1"),
            ("", ""),
        ):
            entries = read_log(web, game, secret, query)
            path = f"/games/{game}/stream?after=0{query}"
            with web.listening(path, secret, Accept=LINES) as stream:
                assert list(islice(stream.items(), len(entries))) == entries
            logs.append(entries)
        ada, onlooker, bob, nobody = logs
        assert onlooker == nobody
        assert ada != onlooker != bob != ada

    def test_a_private_game_is_nobody_elses(self, web: Web, world: World) -> None:
        game = world.playing(visibility="private")
        for secret in ("", world.as_eve.secret):
            status, _, problem = web.ask("GET", f"/games/{game}/stream", secret)
            assert (status, problem["code"]) == (404, "not-found")

    def test_a_seat_that_changes_hands_is_not_seen_any_more(self, web: Web, world: World) -> None:
        game = world.playing(visibility="private")
        path = f"/games/{game}/stream?after=4&as=seat:0"
        with web.listening(path, world.as_ada.secret, Accept=LINES) as stream:
            services.replace_seat(game, 0, "random")
            assert list(stream.items()) == []
        assert web.ask("GET", path, world.as_ada.secret)[0] == 403


class TestTheForm:
    def test_events_are_what_browsers_expect(self, web: Web, game: str) -> None:
        with web.listening(f"/games/{game}/stream?after=3", Accept=EVENTS) as stream:
            assert stream.response.headers["Content-Type"] == EVENTS
            assert stream.response.headers["X-Accel-Buffering"] == "no"
            assert stream.response.headers["Cache-Control"] == "no-store"
            lines = list(islice(stream.lines(), 8))
        assert lines[:4] == ["retry: 2000\n", "\n", "id: 4\n", "event: entry\n"]
        assert lines[4].startswith('data: {"seq":4,')
        assert lines[5:] == ["\n", ": \n", "\n"]

    def test_lines_are_json(self, web: Web, game: str) -> None:
        with web.listening(f"/games/{game}/stream?after=3", Accept=LINES) as stream:
            assert stream.response.headers["Content-Type"] == LINES
            lines = list(islice(stream.lines(), 3))
        assert lines[0].startswith('{"seq":4,')
        assert lines[1:] == ["\n", "\n"]

    def test_ids_are_ascending(self, web: Web, game: str) -> None:
        play(game)
        with web.listening(f"/games/{game}/stream") as stream:
            ids = [int(id_) for id_, _ in stream.events()]
        assert all(before < after for before, after in pairwise(ids))
