"""The people of a crowd repeat what got no answer, record every reply, and follow a game without
gaps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import pytest

from tests.chaos.http_client import WrongAnswer
from tests.chaos.journal import FAIL, OK, UNKNOWN
from tests.chaos.stream_check import StreamedEntry
from tests.crowd import followers, people
from tests.crowd.connections import Origin, Request
from tests.crowd.people import Manner, Person, Records
from tests.crowd.scripted_host import ScriptedHost, json_reply, run

PATIENCE: Final = 2  # actions
UNAVAILABLE = json_reply(503, {"code": "unavailable"}, "Retry-After: 0")
ENTRIES: Final[list[dict[str, Any]]] = [
    {"seq": 1, "hash": "one", "action": {"type": "table.create"}},
    {"seq": 2, "hash": "two", "action": None},  # sealed
    {"seq": 3, "hash": "three", "action": {"type": "table.end"}},
]
CHOICE = {"seat": 0, "token": "t", "is_awaited": True, "offers": [{"action": {"type": "draw"}}]}
DONE = {"seq": 3, "entries": [{"seq": 2}], "receipt": {}, "choice": None, "result": {"winners": []}}


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "FIRST_PAUSE", 0)
    monkeypatch.setattr(followers, "FIRST_PAUSE", 0)


@contextmanager
def person_at(origin: Origin, records: Records) -> Iterator[Person]:
    """A person who acts at once, and leaves at the end of the block."""
    person = Person(records, [origin], Random(1), Manner(pause=0, patience=PATIENCE))
    try:
        yield person
    finally:
        person.leave()


def request_lines(host: ScriptedHost) -> list[bytes]:
    """The request lines that a host received."""
    return [
        line for request in host.requests for line in request.split(b"\r\n") if b" HTTP/" in line
    ]


def test_a_request_is_repeated_with_the_same_idempotency_key() -> None:
    host = ScriptedHost(UNAVAILABLE, b"", json_reply(201, {"secret": "tab_x"}))
    records = Records()

    async def arrive(origin: Origin) -> None:
        with person_at(origin, records) as person:
            await person.arrive()
            assert person.authorization == {"Authorization": "Bearer tab_x"}

    run(host, arrive)
    keys = {request.partition(b"Idempotency-Key: ")[2][:34] for request in host.requests}
    assert len(host.requests) == 3
    assert len(keys) == 1
    # the connection was kept after the first reply, and closed before the second
    assert [answer.status for answer in records.answers] == [503, 201]


def test_a_refusal_is_a_wrong_answer() -> None:
    async def ask(origin: Origin) -> None:
        with (
            person_at(origin, Records()) as person,
            pytest.raises(WrongAnswer, match="GET table: 404 not-found"),
        ):
            await person.ask("table", Request("GET", "/games/game_1"))

    run(ScriptedHost(json_reply(404, {"code": "not-found"})), ask)


def played(*replies: bytes) -> Records:
    """The records of a person who plays with these replies."""
    records = Records(client_seats={("game_1", 0), ("game_1", 1)})

    async def play(origin: Origin) -> None:
        with person_at(origin, records) as person:
            await person.play("game_1")

    run(ScriptedHost(*replies), play)
    return records


def table(**fields: Any) -> bytes:
    """The reply with a table."""
    return json_reply(200, {"phase": "playing", "seq": 1, "choice": CHOICE, **fields})


OVER = table(phase="over", choice=None)


def test_an_action_without_an_answer_is_repeated_until_it_is_acknowledged() -> None:
    records = played(table(), UNAVAILABLE, json_reply(200, DONE), OVER)
    assert [attempt.outcome for attempt in records.attempts] == [UNKNOWN, OK]
    assert records.attempts[1].answer == {"first": 2, "last": 3, "repeated": True, "receipt": {}}
    assert records.attempts[0].call == records.attempts[1].call
    assert records.games_ended == {"game_1"}


@pytest.mark.parametrize("code", people.NO_HURRY)
def test_a_stale_choice_is_decided_anew(code: str) -> None:
    stale = json_reply(409, {"code": code})
    records = played(table(), stale, table(), json_reply(201, DONE), OVER)
    assert [attempt.outcome for attempt in records.attempts] == [FAIL, OK]


def test_any_other_refusal_of_an_action_is_a_wrong_answer() -> None:
    with pytest.raises(WrongAnswer, match="422 illegal-action"):
        played(table(), json_reply(422, {"code": "illegal-action"}))


def test_a_person_who_is_not_awaited_waits_for_an_entry() -> None:
    page = json_reply(200, {"items": ENTRIES[1:]})
    records = played(table(choice=None), page, OVER)
    assert [answer.kind for answer in records.answers] == ["table", "long poll", "table"]


@pytest.mark.parametrize(
    "reply", [json_reply(200, {}), json_reply(409, {"code": people.GAME_OVER})]
)
def test_a_person_resigns_when_patience_is_at_an_end(reply: bytes) -> None:
    going_on = json_reply(201, {**DONE, "result": None, "choice": CHOICE})
    records = played(table(), *[going_on] * PATIENCE, reply, OVER)
    assert len(records.attempts) == PATIENCE
    assert [answer.kind for answer in records.answers[-2:]] == ["resignation", "table"]
    assert records.resigned_games == {"game_1"}
    assert records.client_seats == {("game_1", 1)}


def chunked(*entries: Any) -> bytes:
    """A stream that sends these entries and ends."""
    lines = [json.dumps(entry).encode() + b"\n" for entry in entries]
    chunks = [f"{len(line):x}\r\n".encode() + line + b"\r\n" for line in lines]
    return (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(chunks) + b"0\r\n\r\n"
    )


def followed(host: ScriptedHost, *, by_stream: bool) -> Records:
    """The records of an onlooker."""
    records = Records()

    async def follow(origin: Origin) -> None:
        with person_at(origin, records) as person:
            if by_stream:
                await followers.follow_by_stream(person, [origin], "game_1")
            else:
                await followers.follow_by_long_polls(person, "game_1")

    run(host, follow)
    return records


def test_a_stream_is_followed_over_breaks_to_its_end() -> None:
    end = b"HTTP/1.1 204 No Content\r\n\r\n"
    host = ScriptedHost(chunked(*ENTRIES[:2]), b"", UNAVAILABLE, chunked(ENTRIES[2]), end)
    (record,) = followed(host, by_stream=True).streams
    assert record.is_ended
    assert record.entries == [StreamedEntry(each["seq"], each["hash"]) for each in ENTRIES]
    assert [line.split()[1][-1:] for line in request_lines(host)] == [b"0", b"2", b"2", b"2", b"3"]


def test_a_refused_stream_ends_with_a_wrong_answer() -> None:
    host = ScriptedHost(json_reply(404, {"code": "not-found"}))
    (record,) = followed(host, by_stream=True).streams
    assert record.wrong_answers == ["refused with 404 after 0"]


def test_a_log_is_followed_by_long_polls_to_its_end() -> None:
    host = ScriptedHost(
        json_reply(200, {"items": ENTRIES[:1]}),
        json_reply(200, {"items": []}),
        UNAVAILABLE,
        json_reply(200, {"items": ENTRIES[1:]}),
    )
    (record,) = followed(host, by_stream=False).streams
    assert record.is_ended
    assert record.last_seq == 3
