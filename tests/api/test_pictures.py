"""The pictures of a range of positions are those of single requests, for the same viewers; each
position is made from the one before it, and the limits count them by their number."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any, Final
from xml.sax.saxutils import escape

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from api.keys import key_cache
from api.limits import rate_limiting
from games import position_cache, selectors, services
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.shapes_svg import draws_shapes
from tabularium_engines.common.svg import description_of
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset
from tabularium_log.audit import export_verifier
from tabularium_log.projection.log_replay import replay_contents, replay_entry
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.audit.making import OTHER_KEY, new_plan, play_plan

DEALT: Final = 4  # entries, the last of which is the deal
STEPS: Final = 25
SHAPE_QUERIES: Final = ("?shape=wide", "?shape=tall", "?shape=square")
IMMUTABLE: Final = "max-age=31536000, immutable"


def ask(program: Program, game: str, query: str = "", **headers: str) -> Any:
    """The response with pictures."""
    return program.get(f"{BASE}/games/{game}/pictures{query}", headers=headers)


def pictures(program: Program, game: str, query: str = "") -> list[Any]:
    """The pictures of a response."""
    response = ask(program, game, query)
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-ndjson")
    return [orjson.loads(line) for line in response.getvalue().splitlines()]


def seqs(program: Program, game: str, query: str = "") -> list[int]:
    """The entries of the pictures."""
    return [line["seq"] for line in pictures(program, game, query)]


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_they_are_the_single_pictures_of_every_ruleset(world: World, ruleset: Ruleset) -> None:
    plan = new_plan(RULESETS[ruleset], 3, key=OTHER_KEY, ends_at=12)
    verified = export_verifier.load_verified_game(play_plan(plan).lines("everything"))
    row, _ = services.import_game(verified, world.ada.pk)
    for viewer in ("onlooker", "seat:1"):
        listed = pictures(world.as_ada, row.pk, f"?as={viewer}")
        first = selectors.game_projection(row.pk).first
        assert [line["seq"] for line in listed] == list(range(first or 0, row.seq + 1))
        for line in listed:
            assert set(line) == {"seq", "svg", "text"}
            position_cache.cache.clear()
            query = f"?seq={line['seq']}&as={viewer}"
            for form in ("svg", "txt"):
                path = f"{BASE}/games/{row.pk}/picture.{form}{query}"
                single = world.as_ada.get(path).content.decode()
                assert line["text" if form == "txt" else "svg"] == single


def test_each_position_is_made_from_the_one_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = world.game_after(STEPS)
    position_cache.cache.clear()
    selectors.game_projection(game)  # the present one
    replayed = []

    def counted(table: Any, content: Any) -> Any:
        replayed.append(table.seq + 1)
        return replay_entry(table, content)

    monkeypatch.setattr("games.selectors.logs.replay_entry", counted)
    monkeypatch.setattr("games.position_cache.replay_contents", refuse_long_replays)
    assert seqs(world.as_ada, game, "?limit=10") == list(range(DEALT, DEALT + 10))
    assert replayed == list(range(DEALT + 1, DEALT + 10))
    after = DEALT + 9
    assert seqs(world.as_ada, game, f"?after={after}&limit=5") == list(range(after + 1, after + 6))
    assert replayed == list(range(DEALT + 1, after + 6)), "the second range goes on from the first"


def refuse_long_replays(table: Any, contents: Any) -> Any:
    """Replay up to the deal, and nothing beyond it."""
    table = replay_contents(table, contents)
    assert table.seq <= DEALT
    return table


def test_a_range_costs_no_more_queries_than_a_picture_and_its_entries(world: World) -> None:
    game = world.game_after(STEPS)
    numbers = []
    ask(world.as_ada, game)  # the key is looked up once
    for limit in (2, 20):
        position_cache.cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert len(pictures(world.as_ada, game, f"?limit={limit}")) == limit
        numbers.append(len(queries))
    assert numbers[0] == numbers[1]


def test_only_positions_that_exist_are_listed(world: World) -> None:
    game = world.game_after(STEPS)
    last = DEALT + STEPS
    assert seqs(world.as_ada, game) == list(range(DEALT, last + 1))
    assert seqs(world.as_ada, game, "?after=1&limit=2") == [DEALT, DEALT + 1]
    assert seqs(world.as_ada, game, f"?after={last - 1}") == [last]
    assert seqs(world.as_ada, game, f"?after={last}") == []
    assert seqs(world.as_ada, game, "?after=99999") == []


def test_a_seat_is_shown_what_it_may_see(world: World) -> None:
    game = world.game_after(STEPS)
    own = {
        program: ask(program, game).getvalue()
        for program in (world.as_ada, world.as_bob, world.as_eve, world.as_nobody)
    }
    assert len(set(own.values())) == 3
    onlooker = ask(world.as_bob, game, "?as=onlooker").getvalue()
    assert own[world.as_eve] == own[world.as_nobody] == onlooker
    assert_refused(ask(world.as_ada, game, "?as=seat:1"), "not-your-seat")
    assert_refused(ask(world.as_eve, game, "?as=seat:0"), "not-your-seat")
    world.as_ada.send(f"{BASE}/games/{game}/resign", {"seat": 0})
    assert ask(world.as_eve, game, "?as=seat:1&limit=1").status_code == 200


def test_it_is_refused_as_a_single_picture_is(world: World) -> None:
    assert_refused(ask(world.as_ada, world.gathering()), "not-started")
    game = world.playing(visibility="private")
    assert_refused(ask(world.as_eve, game), "not-found")
    for query in ("?limit=0", "?limit=201", "?after=-1", "?as=everything"):
        assert_refused(ask(world.as_ada, game, query), "invalid-parameter")


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_ranges_are_the_same_in_every_world(world: World, viewer: int | None) -> None:
    """In worlds that a viewer cannot distinguish the range that begins now is the same, and another
    viewer sees that they differ."""
    game = world.game_after(17)
    position = position_cache.current_position(game)
    query = f"?after={position.projection.seq - 1}"
    programs = {0: world.as_ada, 1: world.as_bob, None: world.as_eve}
    shown: dict[int | None, set[bytes]] = {seat: set() for seat in programs}
    state: Any = position.projection.state
    for seed in range(3):
        imagined = state.clone()
        imagined.determinize(-1 if viewer is None else viewer, FastRng(seed))
        world_position = position._replace(projection=replace(position.projection, state=imagined))
        position_cache.cache.store(world_position)
        for seat, program in programs.items():
            shown[seat].add(ask(program, game, query).getvalue())
    assert len(shown[viewer]) == len(shown[None]) == 1
    assert sum(map(len, shown.values())) > 3


# -- shapes ----------------------------------------------------------------------------------------


def test_each_shape_is_a_picture_of_its_own(world: World, client: Program, slug: str) -> None:
    path = f"{BASE}/rules/{slug}/picture.svg"
    default, wide, tall, square = (
        client.get(f"{path}{query}").content for query in ("", *SHAPE_QUERIES)
    )
    assert default == wide, "the first shape is the default"
    assert (tall not in (wide, square)) == draws_shapes(ENGINES[slug])
    assert_refused(client.get(f"{path}?shape=round"), "invalid-parameter")


def test_a_range_has_the_shape_of_single_pictures(world: World) -> None:
    game = world.game_after(5)
    tags = set()
    for query in SHAPE_QUERIES:
        single = world.as_ada.get(f"{BASE}/games/{game}/picture.svg{query}").content.decode()
        response = ask(world.as_ada, game, query)
        tags.add(response["ETag"])
        assert orjson.loads(response.getvalue().splitlines()[-1])["svg"] == single
    assert len(tags) == 3
    assert_refused(ask(world.as_ada, game, "?shape=round"), "invalid-parameter")
    text = world.as_ada.get(f"{BASE}/games/{game}/picture.txt?shape=tall")
    assert_refused(text, "unknown-parameter")


# -- names -----------------------------------------------------------------------------------------


def picture(program: Program, game: str, query: str, **headers: str) -> Any:
    """The response with a single picture."""
    return program.get(f"{BASE}/games/{game}/picture.svg{query}", headers=headers)


def test_names_are_shown_as_they_are_now(world: World) -> None:
    game = world.playing()
    assert ">Ada</text>" not in picture(world.as_bob, game, "").content.decode()
    for name in ("Ada", "A <b>"):
        world.as_ada.send(f"{BASE}/me", {"name": name}, "PATCH")
        shown = picture(world.as_bob, game, "?names=1").content.decode()
        assert f">{escape(name)}</text>" in shown
        (line,) = pictures(world.as_bob, game, "?names=1")
        assert line["svg"] == shown
        assert description_of(shown) + "\n" == line["text"]


def test_bots_have_their_names_too(world: World) -> None:
    game = world.created(SeatAssignment(account=world.ada), SeatAssignment(bot="greedy"))
    shown = picture(world.as_eve, game, "?names=1").content.decode()
    assert ">Ada</text>" in shown
    assert ">greedy</text>" in shown


def test_a_picture_with_names_is_neither_kept_for_ever_nor_compressed(world: World) -> None:
    """It changes when a player is renamed, and its length would tell about the hand beside them."""
    game = world.over()
    accepting = {"Accept-Encoding": "gzip"}
    named = "names=1&as=seat:0"
    responses = [
        picture(world.as_ada, game, f"?seq=4&{named}", **accepting),
        ask(world.as_ada, game, f"?limit=1&{named}", **accepting),
    ]
    for response in responses:
        assert response["Cache-Control"] == "private, no-cache"
        assert "Content-Encoding" not in response.headers
        assert b">Ada</text>" in response.getvalue().replace(b'\\"', b'"')
    tags = {response["ETag"] for response in responses}
    world.as_ada.send(f"{BASE}/me", {"name": "Lovelace"}, "PATCH")
    tags.add(picture(world.as_ada, game, f"?seq=4&{named}")["ETag"])
    tags.add(ask(world.as_ada, game, f"?limit=1&{named}")["ETag"])
    assert len(tags) == 4
    again = ask(world.as_ada, game, f"?limit=1&{named}", **accepting)
    current = {"If-None-Match": again["ETag"], **accepting}
    assert ask(world.as_ada, game, f"?limit=1&{named}", **current).status_code == 304


# -- copies and compression ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "never_changes"),
    [
        ("?after=5&limit=10&as=seat:0", True),
        (f"?after={DEALT + STEPS - 1}&limit=1&as=onlooker", True),
        (f"?after={DEALT + STEPS - 1}&limit=2&as=onlooker", False),  # another one will come
        ("?after=5&limit=10", False),  # the caller decides who sees
        ("?as=seat:0", False),
        ("?after=99&limit=10&as=seat:0", False),
    ],
)
def test_a_whole_range_of_a_named_viewer_never_changes(
    world: World, query: str, never_changes: bool
) -> None:
    response = ask(world.as_ada, world.game_after(STEPS), query)
    assert response["Cache-Control"] == f"private, {IMMUTABLE if never_changes else 'no-cache'}"
    assert "Authorization" in response["Vary"]


def test_after_the_end_every_range_of_a_named_viewer_is_whole(world: World) -> None:
    game = world.over()
    assert ask(world.as_nobody, game, "?as=seat:0")["Cache-Control"] == f"public, {IMMUTABLE}"
    assert ask(world.as_nobody, game)["Cache-Control"] == "public, no-cache"


def test_a_copy_is_current_until_there_is_another_picture(world: World) -> None:
    game = world.game_after(STEPS)
    first = ask(world.as_ada, game)
    again = ask(world.as_ada, game, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    tags = {
        first["ETag"],
        ask(world.as_bob, game)["ETag"],
        ask(world.as_ada, game, "?limit=1")["ETag"],
    }
    world.as_ada.send(f"{BASE}/games/{game}/actions", world.body(game))
    tags.add(ask(world.as_ada, game)["ETag"])
    assert len(tags) == 4


def test_they_are_compressed(world: World) -> None:
    game = world.over()
    plain, packed = ask(world.as_eve, game), ask(world.as_eve, game, **{"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    content, packed_content = plain.getvalue(), packed.getvalue()
    assert gzip.decompress(packed_content) == content
    assert len(packed_content) < len(content) / 4
    assert packed["ETag"] == plain["ETag"].removesuffix('"') + '-gzip"'


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "tokens"), [(1, 1), (19, 1), (20, 2), (39, 2), (40, 3)])
def test_every_twentieth_picture_counts_as_one_more_read(
    world: World, limited: Settings, limit: int, tokens: int
) -> None:
    limited.LIMITS = {**limited.LIMITS, "read": (5, 3600)}
    game = world.game_after(40)
    response = ask(world.as_ada, game, f"?limit={limit}")
    assert response["RateLimit"].startswith(f'"read";r={5 - tokens};')


def test_a_range_that_costs_too_much_is_refused_and_leaves_smaller_ones(
    world: World, limited: Settings
) -> None:
    limited.LIMITS = {**limited.LIMITS, "read": (5, 3600)}
    game = world.game_after(40)
    assert ask(world.as_ada, game, "?limit=40").status_code == 200
    refused = ask(world.as_ada, game, "?limit=40")
    assert refused.status_code == 429
    assert refused.json()["limit"] == "read"
    assert 0 < int(refused["Retry-After"]) <= 1500
    assert ask(world.as_ada, game, "?limit=19").status_code == 200
    assert ask(world.as_ada, game, "?limit=19").status_code == 429


def test_no_range_costs_more_than_the_whole_quota(world: World, limited: Settings) -> None:
    limited.LIMITS = {**limited.LIMITS, "read": (2, 3600)}
    game = world.game_after(45)
    response = ask(world.as_ada, game, "?limit=200")
    assert response.status_code == 200
    assert response["RateLimit"].startswith('"read";r=0;')


def test_a_current_copy_costs_nothing(world: World, limited: Settings) -> None:
    limited.LIMITS = {**limited.LIMITS, "read": (5, 3600)}
    game = world.game_after(40)
    tag = ask(world.as_ada, game, "?limit=20")["ETag"]
    for _ in range(9):
        assert ask(world.as_ada, game, "?limit=20", **{"If-None-Match": tag}).status_code == 304
    assert ask(world.as_ada, game, "?limit=20").status_code == 200


@pytest.fixture
def limited(world: World, settings: Settings, broker: str) -> Any:
    """Limits of the requests of a test, in the database or in Redis."""
    key_cache.clear()
    settings.REDIS_URL = broker
    settings.LIMITS = {"read": (5, 3600), "write": (99, 3600)}
    rate_limiting.configured_buckets.cache_clear()
    yield settings
    rate_limiting.configured_buckets.cache_clear()
