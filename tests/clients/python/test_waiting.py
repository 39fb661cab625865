"""Turns and streams of the Python client, against a server that answers from a list."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tabularium_client import BrokenReply, NoReply, ServerFailure, Unauthorized
from tabularium_client.server_sent_events import Event, EventReader
from tests.clients.python.mocking import Server, Time, client_of, events, good, problem

STREAM = (
    b': hello\n\nid: 1\nevent: entry\ndata: {"name":"a\xe2\x80\xa8b\xc2\x85c"}\n\n'
    b"retry: 2000\n\nid: 2\r\ndata:1\ndata: 2\n\n:\n\nid: 3\ndata: {}\n"
)
OVER: Any = {"id": "game_1", "phase": "over"}


@pytest.fixture
def time() -> Time:
    """Time that passes only in sleeps."""
    return Time()


def table(seq: int, to_act: list[int], seat: int | None = None, awaited: bool = True) -> Any:
    """A game in which seats 0 and 2 are the caller's, with the choice of one of them."""
    choice: Any = {
        "token": f"t{seq}",
        "seat": seat,
        "is_awaited": awaited,
        "offers": [{"action": {}}],
    }
    return {
        "id": "game_1",
        "phase": "playing",
        "seq": seq,
        "to_act": to_act,
        "your_seats": [0, 2],
        "choice": None if seat is None else choice,
    }


class TestTheReaderOfEvents:
    @pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
    def test_it_reads_pieces_of_any_size(self, size: int) -> None:
        reader = EventReader()
        found: list[Event] = []
        for start in range(0, len(STREAM), size):
            found += reader.feed(STREAM[start : start + size])
        assert found == [Event("1", '{"name":"a\u2028b\x85c"}'), Event("2", "1\n2")]

    def test_an_event_is_complete_at_its_empty_line(self) -> None:
        reader = EventReader()
        assert not list(reader.feed(b"id: 3\ndata: {}\n"))
        assert list(reader.feed(b"\n")) == [Event("3", "{}")]


class TestStreams:
    def test_it_goes_on_after_the_last_whole_entry(self, time: Time) -> None:
        cut = [events(1, 2, rest='id: 3\ndata: {"se'), events(3, rest="id: 4\ndata: {}\n")]
        server = Server([*cut, httpx.ReadTimeout("dead"), events(4), httpx.Response(204)])
        entries = client_of(server, time).stream_game("game_1")
        assert [entry["seq"] for entry in entries] == [1, 2, 3, 4]
        assert server.sent("Last-Event-ID") == ["0", "2", "3", "3", "4"]
        assert time.pauses == [0.0, 0.0, 0.5, 0.0]

    def test_it_begins_after_an_entry(self, time: Time) -> None:
        server = Server([events(8), httpx.Response(204)])
        stream = client_of(server, time).stream_game("game_1", after=7, as_="onlooker")
        assert [entry["seq"] for entry in stream] == [8]
        assert server.sent("Last-Event-ID") == ["7", "8"]
        assert server.requests[0].url.query == b"as=onlooker"

    def test_it_waits_while_the_server_is_away(self, time: Time) -> None:
        away = problem(503, "unavailable", 4)
        server = Server([away, away, events(1), httpx.Response(204)])
        assert len(list(client_of(server, time).stream_game("game_1"))) == 1
        assert time.pauses == [4.0, 4.0, 0.0]

    @pytest.mark.parametrize(
        ("answer", "kind"),
        [
            (events(), BrokenReply),
            (httpx.ReadError("lost"), NoReply),
            (problem(503, "unavailable"), ServerFailure),
        ],
    )
    def test_it_gives_up_if_nothing_comes_any_more(
        self, time: Time, answer: Any, kind: type[Exception]
    ) -> None:
        copies = [events() if kind is BrokenReply else answer for _ in range(6)]
        server = Server([events(1), *copies])
        entries = client_of(server, time).stream_game("game_1")
        assert next(entries)["seq"] == 1
        with pytest.raises(kind):
            next(entries)
        assert time.pauses == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0]

    def test_open_tables_begin_anew_after_a_break(self, time: Time) -> None:
        server = Server([events(1), events(1)])
        tables = client_of(server, time).stream_games(rules="law")
        items: list[Any] = [next(tables) for _ in range(2)]
        assert [item["seq"] for item in items] == [1, 1]
        assert {request.url.query for request in server.requests} == {b"open=true&rules=law"}

    def test_a_refusal_ends_it(self, time: Time) -> None:
        server = Server([events(1), problem(401, "unauthorized")])
        entries = client_of(server, time).stream_me(after="2026-01-01T00:00:00.000Z")
        next(entries)
        with pytest.raises(Unauthorized):
            next(entries)


class TestTurns:
    def test_it_waits_for_entries_until_a_seat_of_yours_must_act(self, time: Time) -> None:
        log = good({"items": [{"seq": 5}]})
        server = Server([good(table(4, [1])), log, good(table(5, [0], 0)), good(OVER)])
        client = client_of(server, time)
        turn = client.wait_for_turn("game_1")
        assert turn is not None
        assert (turn.seat, turn.choice["token"], turn.game) == (0, "t5", "game_1")
        assert server.requests[1].url.query == b"after=4&limit=1"
        assert server.requests[1].headers["Prefer"] == "wait=25"
        assert client.wait_for_turn("game_1") is None

    def test_it_asks_for_the_choice_of_another_seat(self, time: Time) -> None:
        reaction = table(4, [2], 0, awaited=False)
        server = Server([good(reaction), good(table(4, [2], 2))])
        turn = client_of(server, time).wait_for_turn("game_1")
        assert turn is not None
        assert turn.seat == 2
        assert server.requests[1].url.query == b"as=seat%3A2"

    def test_it_stops_waiting_in_time(self, time: Time) -> None:
        empty: Any = {"items": []}

        class Slow(Server):
            def __call__(self, request: httpx.Request) -> httpx.Response:
                if request.url.path.endswith("/log"):
                    time.now += int(request.headers["Prefer"].removeprefix("wait="))
                return super().__call__(request)

        answers = [good(document) for _ in range(3) for document in (table(4, [1]), empty)]
        server = Slow(answers)
        with pytest.raises(TimeoutError):
            client_of(server, time).wait_for_turn("game_1", within=40)
        waits = [wait for wait in server.sent("Prefer") if wait]
        assert waits == ["wait=25", "wait=15"]
        assert time.now == 40

    def test_it_pauses_where_the_server_holds_nothing_back(self, time: Time) -> None:
        log = good({"items": []})
        server = Server([good(table(4, [1])), log, good(OVER)])
        assert client_of(server, time).wait_for_turn("game_1") is None
        assert time.pauses == [1.0]

    def test_a_turn_that_has_passed_is_left_out(self, time: Time) -> None:
        stale, done = problem(409, "stale-choice"), good({"receipt": {"seq": 9}})
        turns = [good(table(seq, [0], 0)) for seq in (4, 7)]
        server = Server([turns[0], stale, turns[1], done, good(OVER), good(OVER)])
        receipts: list[Any] = []
        end = client_of(server, time).play(
            "game_1", lambda turn: turn.offers[0], keep=receipts.append
        )
        assert end["phase"] == "over"
        assert receipts == [{"seq": 9}]
        bodies = [json.loads(request.content) for request in server.requests if request.content]
        assert [body["choice"] for body in bodies] == ["t4", "t7"]
