"""Replays as animated WebP: their frames are the positions that the viewer may see, a worker draws
them once, a lost or cut one is drawn again, and few are requested at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from itertools import pairwise
from typing import Any, Final

import orjson
import pytest
from PIL import Image
from pytest_django import Settings

from api.games.drawn_positions import Look, draw_position
from api.keys import key_cache
from api.limits import rate_limiting
from api.models import Replay
from api.png import drawing
from api.replays import child, replay_dispatch, replay_drawing, replay_rows
from api.replays.replay_drawing import END_MS, Frame
from games import selectors, services
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World

DELAY: Final = 700  # milliseconds, if the query names none
Ask = Callable[..., Any]


def ask(program: Program, game: str, query: str = "", **headers: str) -> Any:
    """The response with a replay or its progress."""
    return program.get(f"{BASE}/games/{game}/replay.webp{query}", headers=headers)


def pictures(program: Program, game: str) -> list[str]:
    """The pictures of all positions."""
    response: Any = program.get(f"{BASE}/games/{game}/pictures")
    return [orjson.loads(line)["svg"] for line in b"".join(response).splitlines()]


def over_after(world: World, entries: int) -> str:
    """A game that Bob has resigned after so many entries."""
    game = world.game_after(entries)
    services.resign_seat(game, 1)
    return game


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Frame], int]]:
    """The frames and widths that are encoded, by nothing but their text."""
    copied: list[tuple[list[Frame], int]] = []

    def encode(frames: list[Frame], width: int, count: Callable[[int], None]) -> bytes:
        copied.append((frames, width))
        for number in range(1, len(frames) + 1):
            count(number)
        return repr((frames, width)).encode()

    monkeypatch.setattr(replay_drawing, "encode", encode)
    return copied


def work() -> None:
    """Draw all replays that wait, as a worker does."""
    for name in Replay.objects.filter(content=None).values_list("pk", flat=True):
        replay_drawing.draw_replay(name)


def drawn(program: Program, game: str, query: str = "") -> Any:
    """The response with a replay, drawn by a worker."""
    assert ask(program, game, query).status_code == 202
    work()
    return ask(program, game, query)


# -- its frames ----------------------------------------------------------------------------------


def test_a_child_draws_the_positions_that_the_viewer_sees(world: World) -> None:
    game = over_after(world, 9)
    response = drawn(world.as_ada, game, "?width=64&delay=300")
    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    image: Any = Image.open(BytesIO(response.content))
    count = len(set(pictures(world.as_ada, game)))
    assert (image.width, image.n_frames) == (64, count)
    durations = []
    for frame in range(image.n_frames):
        image.seek(frame)
        image.load()
        durations.append(image.info["duration"])
    assert sum(durations) == 300 * len(pictures(world.as_ada, game)) + END_MS
    assert durations[-1] >= 300 + END_MS > max(durations[:-1])


def test_two_viewers_see_different_replays(
    world: World, encoded: list[tuple[list[Frame], int]]
) -> None:
    game = over_after(world, 9)
    for query in ("?as=seat:0", "?as=seat:1", "?as=onlooker", "?as=onlooker&shape=tall"):
        drawn(world.as_eve, game, query)
    replays = [[frame.picture for frame in frames] for frames, _ in encoded]
    assert len({tuple(replay) for replay in replays}) == 4
    table = selectors.game_projection(game, 6)
    onlooker = draw_position(table, None, Look("wide", None))
    assert onlooker in replays[2]
    assert onlooker not in replays[0] + replays[1] + replays[3]


def test_names_are_drawn_as_they_are_now(
    world: World, encoded: list[tuple[list[Frame], int]]
) -> None:
    game = over_after(world, 5)
    first = drawn(world.as_ada, game, "?as=seat:0&names=1")
    assert first["Cache-Control"] == "private, no-cache"
    world.as_ada.generic("PATCH", f"{BASE}/me", b'{"name": "Grace"}', "application/json")
    drawn(world.as_ada, game, "?as=seat:0&names=1")
    assert ["Grace" in frames[0].picture for frames, _ in encoded] == [False, True]


@pytest.mark.parametrize(
    ("first", "last", "seqs"),
    [
        (4, 4, [4]),
        (4, 6, [4, 5, 6]),
        (1, replay_rows.MAX_FRAMES, list(range(1, replay_rows.MAX_FRAMES + 1))),
    ],
)
def test_a_short_game_has_all_its_positions(first: int, last: int, seqs: list[int]) -> None:
    assert replay_rows.frame_seqs(first, last) == seqs


def test_a_long_game_has_positions_at_even_distances() -> None:
    seqs = replay_rows.frame_seqs(4, 1003)
    assert (len(seqs), seqs[0], seqs[-1]) == (replay_rows.MAX_FRAMES, 4, 1003)
    assert {late - early for early, late in pairwise(seqs)} == {25, 26}


def test_pictures_of_different_heights_share_a_canvas() -> None:
    """A lower one stands in the middle, on the colour of its upper edge."""
    red, blue = (255, 0, 0), (0, 0, 255)
    images = [Image.new("RGBA", (64, height), colour) for height, colour in ((32, red), (64, blue))]
    low = child.on_canvas(images[0], (64, 64))
    assert {low.getpixel((0, row)) for row in range(64)} == {red}
    animation: Any = Image.open(BytesIO(child.animate(images, [100, 200])))
    assert (animation.size, animation.n_frames) == ((64, 64), 2)


def test_a_high_picture_is_drawn_narrower() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 9"><rect/></svg>'
    line = orjson.dumps({"picture": picture, "ms": 100})
    (image,), _ = child.drawn([line], 600)
    assert 0.9 * child.MAX_HEIGHT < image.height <= child.MAX_HEIGHT
    assert image.width < 600
    assert child.fitting_width(picture, 64) == 64


# -- drawing --------------------------------------------------------------------------------------


def test_the_reply_is_its_progress_until_it_is_drawn(
    world: World, encoded: list[tuple[list[Frame], int]]
) -> None:
    game = over_after(world, 9)
    query = "?width=100&as=onlooker"
    waiting = ask(world.as_eve, game, query)
    place = f"{BASE}/games/{game}/replay.webp{query}"
    assert (waiting.status_code, waiting["Location"]) == (202, place)
    document = waiting.json()
    count = len(replay_rows.frame_seqs(4, selectors.game_projection(game).seq))
    assert (document["state"], document["links"]["self"]) == ("waiting", place)
    assert document["progress"] == {"done": 0, "of": count}
    replay_rows.count_drawn(Replay.objects.get().pk, 4)
    assert ask(world.as_eve, game, query).json()["progress"]["done"] == 4
    work()
    response = ask(world.as_bob, game, query)
    assert response.status_code == 200
    assert response["Cache-Control"] == "private, max-age=31536000, immutable"
    again = ask(world.as_bob, game, query, **{"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(encoded) == 1, "the same replay is drawn once for all callers"


def test_a_message_more_draws_nothing(world: World, encoded: list[tuple[list[Frame], int]]) -> None:
    game = over_after(world, 5)
    drawn(world.as_ada, game)
    replay_drawing.draw_replay(Replay.objects.get().pk)
    replay_drawing.draw_replay("unknown")
    assert len(encoded) == 1


def begun_by_a_dead_worker(world: World) -> str:
    """A replay whose worker was cut."""
    ask(world.as_ada, over_after(world, 5))
    name = Replay.objects.get().pk
    assert replay_rows.claim(name, again=False)
    return str(name)


def test_a_cut_worker_is_replaced(world: World, encoded: list[tuple[list[Frame], int]]) -> None:
    name = begun_by_a_dead_worker(world)
    replay_drawing.draw_replay(name)
    assert not encoded, "its lease has not ended"
    replay_drawing.draw_replay(name, again=True)
    assert len(encoded) == 1


def later(seconds: float) -> None:
    """Let this time pass for the replays."""
    shift = timedelta(seconds=seconds)
    for replay in Replay.objects.all():
        begun = replay.begun and replay.begun - shift
        times = {"begun": begun, "due": replay.due - shift, "created": replay.created - shift}
        Replay.objects.filter(pk=replay.pk).update(**times)


def test_the_sweeper_sends_a_lost_replay_again(
    world: World, encoded: list[tuple[list[Frame], int]]
) -> None:
    name = begun_by_a_dead_worker(world)
    later(40)
    assert not list(replay_dispatch.outbox.find_lost()), "its worker may live"
    later(40)
    assert list(replay_dispatch.outbox.find_lost()) == [name]
    assert not list(replay_dispatch.outbox.find_lost()), "it was sent a moment ago"
    replay_drawing.draw_replay(name)
    assert len(encoded) == 1


def test_one_that_cannot_be_drawn_is_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_drawing, "CHILD_COMMAND", ("false",))
    game = over_after(world, 5)
    ask(world.as_ada, game)
    name = Replay.objects.get().pk
    for _ in range(replay_rows.MAX_ATTEMPTS):
        with pytest.raises(OSError):  # noqa: PT011  # the pipe is broken
            replay_drawing.draw_replay(name, again=True)
    replay_drawing.draw_replay(name, again=True)
    later(80)
    assert not list(replay_dispatch.outbox.find_lost())
    assert not Replay.objects.exists()
    assert ask(world.as_ada, game).json()["state"] == "waiting", "it may be requested again"


def test_a_child_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Exception, match="returned non-zero"):
        replay_drawing.encode([], 100, lambda _: None)  # of no frames there is no file


def test_old_replays_are_deleted(world: World, encoded: list[tuple[list[Frame], int]]) -> None:
    drawn(world.as_ada, over_after(world, 5))
    replay_dispatch.clean_up_replays()
    assert Replay.objects.exists()
    later(replay_rows.KEPT_FOR.total_seconds())
    replay_dispatch.clean_up_replays()
    assert not Replay.objects.exists()


def test_the_newest_are_kept(
    world: World, encoded: list[tuple[list[Frame], int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_rows, "MAX_KEPT", 2)
    games = [over_after(world, 5) for _ in range(3)]
    for game in games:
        drawn(world.as_ada, game)
    assert set(Replay.objects.values_list("game_id", flat=True)) == set(games[1:])


# -- refusals -------------------------------------------------------------------------------------


def test_it_is_refused_while_the_game_goes_on_and_to_strangers(world: World) -> None:
    assert_refused(ask(world.as_ada, world.playing()), "not-over")
    assert_refused(ask(world.as_ada, world.gathering()), "not-started")
    assert_refused(ask(world.as_eve, world.over(visibility="private")), "not-found")
    for query in ("?width=63", "?width=801", "?delay=99", "?delay=5001", "?shape=round"):
        assert_refused(ask(world.as_ada, world.over(), query), "invalid-parameter")
    assert not Replay.objects.exists()


@pytest.mark.parametrize("library", ["resvg_py", "PIL"])
def test_without_the_libraries_it_is_refused(
    library: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "find_spec", lambda name: None if name == library else name)
    assert_refused(ask(world.as_ada, world.over()), "png-not-installed")


def test_few_wait_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_rows, "MAX_WAITING", 1)
    game, other = world.over(), world.over()
    assert ask(world.as_ada, game).status_code == 202
    assert ask(world.as_bob, game, "?as=seat:0").status_code == 202, "it is the same"
    response = ask(world.as_eve, other)
    assert_refused(response, "drawings-busy")
    assert response["Retry-After"] == "1"


@pytest.mark.usefixtures("encoded")
@pytest.mark.parametrize("is_noticed", [True, False])
def test_one_of_a_caller_is_drawn_at_a_time(
    world: World, is_noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if both requests come at the same time."""
    if not is_noticed:
        monkeypatch.setattr(replay_rows, "has_one_waiting", lambda caller: False)
    game, other = world.over(), world.over()
    callers = (world.as_ada, world.as_bob, Program())
    for program in callers:
        assert (
            ask(program, game, f"?as=onlooker&width={100 + callers.index(program)}").status_code
            == 202
        )
    for program in callers:
        assert_refused(ask(program, other), "too-many-replays")
    assert ask(world.as_ada, game, "?as=onlooker&width=101").status_code == 202, "it is Bob's"
    work()
    assert ask(world.as_ada, other).status_code == 202


@pytest.fixture
def limits(settings: Settings, broker: str) -> Iterator[None]:
    """Ten drawings an hour."""
    key_cache.clear()
    settings.REDIS_URL = broker
    settings.LIMITS = {"drawings": (10, 3600), "read": (9, 3600)}
    rate_limiting.configured_buckets.cache_clear()
    yield
    rate_limiting.configured_buckets.cache_clear()


@pytest.mark.usefixtures("limits", "encoded")
def test_a_new_replay_counts_as_drawings(world: World) -> None:
    game = over_after(world, 9)
    frames = len(replay_rows.frame_seqs(4, selectors.game_projection(game).seq))
    assert ask(world.as_ada, game)["RateLimit"].startswith(f'"drawings";r={9 - frames // 2};')
    work()
    assert ask(world.as_ada, game).status_code == 200
    for width in range(100, 110):
        response = ask(world.as_ada, game, f"?width={width}")
        work()
    assert_refused(response, "too-many-requests")
