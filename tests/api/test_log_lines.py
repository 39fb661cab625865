"""The log as NDJSON: the same entries as in JSON for every viewer, all of them unless a limit is
given, with an ETag for each representation."""

from __future__ import annotations

import gzip
from typing import Any

import orjson
import pytest

from games import selectors
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World

LINES = {"Accept": "application/x-ndjson"}
STEPS = 25


def ask(program: Program, game: str, query: str = "", **headers: str) -> Any:
    """The response with the log as lines."""
    return program.get(f"{BASE}/games/{game}/log{query}", headers=LINES | headers)


def lines(program: Program, game: str, query: str = "", **headers: str) -> bytes:
    """The log as lines."""
    content: bytes = ask(program, game, query, **headers).getvalue()
    return content


def entries(content: bytes) -> list[Any]:
    """The entries of these lines."""
    assert content == b"" or content.endswith(b"\n")
    return [orjson.loads(line) for line in content.splitlines()]


@pytest.mark.parametrize("is_over", [False, True])
def test_every_viewer_reads_the_entries_that_json_has(world: World, is_over: bool) -> None:
    game = world.game_after(STEPS)
    if is_over:
        world.as_ada.send(f"{BASE}/games/{game}/resign", {"seat": 0})
    read = {}
    for program in (world.as_ada, world.as_bob, world.as_eve, world.as_nobody):
        for query in ("", "?as=onlooker"):
            content = lines(program, game, query)
            page = program.get(f"{BASE}/games/{game}/log{query or '?'}&limit=1000").json()
            assert entries(content) == page["items"]
            read[program, query] = content
    own = {read[world.as_ada, ""], read[world.as_bob, ""], read[world.as_eve, ""]}
    assert len(own) == 3, "each seat reads what is its own"
    assert read[world.as_eve, ""] == read[world.as_nobody, ""] == read[world.as_bob, "?as=onlooker"]


@pytest.mark.lane("slow")
def test_all_entries_come_unless_a_limit_is_given(world: World) -> None:
    game = world.game_after(120)
    seqs = [entry["seq"] for entry in entries(lines(world.as_ada, game))]
    assert seqs == list(range(1, selectors.game_head(game).seq + 1))
    assert len(seqs) > 100
    assert [entry["seq"] for entry in entries(lines(world.as_ada, game, "?after=2&limit=3"))] == [
        3,
        4,
        5,
    ]
    assert entries(lines(world.as_ada, game, f"?after={seqs[-1]}")) == []
    page = world.as_ada.get(f"{BASE}/games/{game}/log").json()
    assert len(page["items"]) == 100


def test_a_copy_is_current_until_the_log_or_a_name_changes(world: World) -> None:
    game = world.awaiting()
    first = ask(world.as_ada, game)
    assert first["Content-Type"] == "application/x-ndjson"
    tags = {first["ETag"]}
    assert {"Accept", "Accept-Encoding", "Authorization"} <= set(first["Vary"].split(", "))
    assert first["Cache-Control"] == "private, no-cache"
    again = ask(world.as_ada, game, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Vary"] == first["Vary"]
    assert "Content-Type" not in again.headers
    document = world.as_ada.get(f"{BASE}/games/{game}/log")
    assert "Accept" in document["Vary"].split(", ")
    others = [ask(world.as_bob, game), ask(world.as_ada, game, "?limit=2"), document]
    tags |= {response["ETag"] for response in others}
    world.as_ada.send(f"{BASE}/me", {"name": "Lovelace"}, "PATCH")
    tags.add(ask(world.as_ada, game)["ETag"])
    world.as_ada.send(f"{BASE}/games/{game}/actions", world.body(game))
    tags.add(ask(world.as_ada, game)["ETag"])
    assert len(tags) == 6


def test_a_viewer_whose_fields_are_opened_gets_another_tag(world: World) -> None:
    """The end of a game opens all fields of the entries before it."""
    game = world.playing()
    running = ask(world.as_bob, game, "?limit=4")
    world.as_ada.send(f"{BASE}/games/{game}/resign", {"seat": 0})
    over = ask(world.as_bob, game, "?limit=4")
    assert running.getvalue() != over.getvalue()
    assert running["ETag"] != over["ETag"]


def test_compressed_lines_have_a_tag_of_their_own(world: World) -> None:
    game = world.over()
    plain = ask(world.as_eve, game)
    packed = ask(world.as_eve, game, **{"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.getvalue()) == plain.getvalue()
    assert packed["ETag"] == plain["ETag"].removesuffix('"') + '-gzip"'
    accepting = {"Accept-Encoding": "gzip", "If-None-Match": packed["ETag"]}
    assert ask(world.as_eve, game, **accepting).status_code == 304


def test_refusals_come_before_the_first_line(world: World) -> None:
    game = world.playing(visibility="private")
    assert_refused(ask(world.as_eve, game), "not-found")
    assert_refused(ask(world.as_ada, game, "?as=seat:1"), "not-your-seat")
    assert_refused(ask(world.as_ada, game, "?limit=0"), "invalid-parameter")
    refused = world.as_ada.get(f"{BASE}/games/{game}/log", headers={"Accept": "text/csv"})
    assert_refused(refused, "not-acceptable")
