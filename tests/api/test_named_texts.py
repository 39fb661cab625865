"""Names of players in texts, if a client asks for them: in the news and the labels of every reply
that has some, as players are called now, and never so that two seats are taken for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
import pytest

from games import position_cache, selectors, services
from games.audit import stored_game_verifier
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.api.program import Program, program_of
from tests.api.world import BASE, World
from tests.games.sitting import acting, some_action

pytestmark = pytest.mark.stores

LINES: Final = {"Accept": "application/x-ndjson"}
TITLES: Final = ("Seat 0", "Seat 1", "Seat 2", "seat 0", "seat 1", "seat 2")


def news_in(entries: Any) -> list[str]:
    """The sentences in entries."""
    return [item["text"] for entry in entries for item in entry["news"] or ()]


def read(program: Program, path: str) -> Any:
    """A document."""
    response = program.get(path)
    assert response.status_code == 200
    return response.json()


def news_of(program: Program, game: str) -> Iterator[list[str]]:
    """The news of a game in each reply that has them, with names."""
    log = f"{BASE}/games/{game}/log"
    yield news_in(read(program, f"{log}?names=1")["items"])
    lines = program.get(f"{log}?names=1", headers=LINES).getvalue().splitlines()
    yield news_in(map(orjson.loads, lines))
    yield news_in(read(program, f"{log}/{seq}?names=1") for seq in range(1, len(lines) + 1))
    followed = program.get(f"{BASE}/games/{game}/stream?names=1", headers=LINES)
    yield news_in(map(orjson.loads, followed.getvalue().splitlines()))


def test_news_have_the_names_of_players(world: World) -> None:
    game = world.game_after(6)
    services.resign_seat(game, 1)
    plain = news_in(read(world.as_ada, f"{BASE}/games/{game}/log")["items"])
    assert any("Seat 0" in text for text in plain)
    for told in news_of(world.as_ada, game):
        assert len(told) == len(plain)
        assert not [text for text in told if any(title in text for title in TITLES)]
        assert "Ada is dealt" in " ".join(told)
        assert "Bob resigns" in told
        assert told[-1].startswith("The game is over: Ada wins.")


def labels_of(choice: Any) -> list[str]:
    """The labels of a choice."""
    return [offer["label"] for offer in choice["offers"]]


def game_with_named_seats(world: World) -> tuple[Program, str, list[str]]:
    """A player whose labels name a seat, the place of its game, and the labels."""
    people = (world.ada, world.bob, world.eve)
    while True:
        game = world.created(*(SeatAssignment(account=each) for each in people))
        while (table := selectors.game_projection(game)).phase == "playing":
            seat, action = some_action(table, FastRng(table.seq))
            program, place = program_of(people[seat]), f"{BASE}/games/{game}"
            labels = labels_of(read(program, f"{place}/choice"))
            if any(title in label for label in labels for title in TITLES):
                return program, place, labels
            services.append_action(game, seat, action, choice=table.choice_token(seat))


def test_labels_have_them_too(world: World) -> None:
    program, place, plain = game_with_named_seats(world)
    for named in (
        labels_of(read(program, f"{place}/choice?names=1")),
        labels_of(read(program, f"{place}?names=1")["choice"]),
    ):
        for before, after in zip(plain, named, strict=True):
            told = before
            for title, name in zip(TITLES, ("Ada", "Bob", "Eve") * 2, strict=True):
                told = told.replace(title, name)
            assert after == told


def test_they_are_the_names_of_now(world: World) -> None:
    game = world.over()
    path = f"{BASE}/games/{game}/log?names=1"
    before = world.as_eve.get(path, headers=LINES)
    services.rename_account(world.bob.pk, "Bobby")
    after = world.as_eve.get(path, headers=LINES | {"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert b"Bobby resigns" in after.getvalue()
    plain = world.as_eve.get(f"{BASE}/games/{game}")
    named = world.as_eve.get(f"{BASE}/games/{game}?names=1")
    assert plain["ETag"] != named["ETag"]


@pytest.mark.parametrize("name", ["ada", "", "Seat 0", "no name"])
def test_names_that_tell_no_seat_apart_are_left_out(world: World, name: str) -> None:
    """Whoever takes the name of another, or of a seat, is called by the title."""
    world.bob.name = name
    world.bob.save()
    game = world.over()
    told = news_in(read(world.as_eve, f"{BASE}/games/{game}/log?names=1")["items"])
    assert "Seat 1 resigns" in told
    winner = "Ada" if name in ("", "no name") else "Seat 0"
    assert (f"The game is over: {winner} wins." in told[-1]) or name == "Seat 0"


def test_with_a_key_they_are_not_compressed(world: World) -> None:
    """They are text of others beside the hand of the reader."""
    game = world.game_after(6)
    packed = {"Accept-Encoding": "gzip"}
    for path in ("log", "log/3"):
        place = f"{BASE}/games/{game}/{path}"
        assert "Content-Encoding" not in world.as_ada.get(f"{place}?names=1", headers=packed)
    log = f"{BASE}/games/{game}/log"
    for program, query in ((world.as_ada, ""), (Program(), "?names=1")):
        assert program.get(log + query, headers=packed)["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("slug", ENGINES)
def test_a_game_that_its_rules_decided_has_them_to_its_last_sentence(
    world: World, slug: str
) -> None:
    people = [world.ada, world.bob, *world.others]
    game = world.playing(slug)
    *_, last = acting(game)
    log = f"{BASE}/games/{game}/log?limit=1000"
    plain = read(world.as_ada, log)
    position_cache.cache.clear()
    named = news_in(read(world.as_ada, f"{log}&names=1")["items"])
    assert last.projection.outcome is not None
    assert all(people[seat].name in named[-1] for seat in last.projection.outcome.winners)
    titles = getattr(ENGINES[slug], "seat_titles", TITLES)
    assert not [title for title in titles if title in named[-1]], named[-1]
    position_cache.cache.clear()
    assert read(world.as_ada, log) == plain
    assert stored_game_verifier.verify_game(game).is_good
