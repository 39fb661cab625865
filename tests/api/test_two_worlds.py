"""Replies reveal nothing hidden: in worlds that a seat cannot distinguish, each request gets the
same body, headers and length, except for salted digests; by all rules, after all
kinds of events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

import orjson
import pytest
from django.conf import LazySettings
from django.utils import timezone

from ai.models import Analysis
from api.games.presenters import choice_view
from games import selectors, services
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.shapes_svg import SHAPES
from tabularium_log.projection.open_proposals import open_proposal
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program, program_of
from tests.api.test_analyses import ask, finish_analysis
from tests.api.world import BASE, World
from tests.api.worlds_alike import WORLDS, acts_alike, undone, worlds_alike
from tests.games.sitting import SLUG, some_action

SLOW: Final = pytest.mark.lane("slow")
VIEWERS: Final = (0, pytest.param(1, marks=SLOW), None)
READERS: Final = (0, pytest.param(1, marks=SLOW), pytest.param(None, marks=SLOW))
WITHOUT_TAKEBACKS: Final = ("duel_edged_sword", "duel_of_law")  # each action draws or is sealed
ALL_KNOWN: Final = {("duel_edged_sword", 0), ("duel_edged_sword", 1)}  # to the seat on turn
OPEN_ACTIONS: Final = "duel_edged_sword"  # the card that was hidden is seen with the action
CHANGING: Final = re.compile(r"req_[0-9a-f]{32}")
SALTED: Final = re.compile(r"\b[0-9a-f]{64}\b|\b[\w+/-]{86}(?:==)?(?![\w+/-])|'ETag', '[^']*'")
ANY: Final = "*/*"
NDJSON: Final = "application/x-ndjson"
EVENTS: Final = "text/event-stream"
OF_GAME: Final = (
    *("", "/choice", "/choice?seat=0", "/choice?seat=1", "/picture.txt", "/proof", "/record"),
    *(f"/picture.{kind}?shape={shape}" for kind in ("svg", "png") for shape in SHAPES),
    *("/picture.svg?names=1", "/picture.png?names=1", "/picture.png?as=seat:0&seq={seq}"),
    *("/picture.png?as=seat:1", "/picture.png?as=onlooker", "/replay.webp"),
    *("/pictures?after={last}", "/pictures?after={last}&as=onlooker", "/pictures?as=seat:1"),
    *("/states/{seq}", "/states/{seq}?as=onlooker", "/states/{seq}?as=seat:1", "/log/9999"),
    *("/states/{seq}?as=everything", "/log/{seq}", "/log/{seq}/thought", "/analyses"),
    *("/log?after=0&limit=1", "/log?after={last}&as=onlooker", "/log?after={last}&as=seat:1"),
    *("?as=onlooker", "?as=seat:0", "?as=seat:1", "/export", "/export?as=seat:9", "?names=1"),
    *("/log?names=1&limit=9", "/choice?names=1&seat=0"),
)
TELLING: Final = (  # to a seat whose cards differ
    *(("/games/{game}", ANY), ("/games/{game}/picture.png", ANY)),
    ("/games/{game}/log?after={last}", NDJSON),
)
LATEST: Final = (
    *TELLING,
    *(("/games/{game}/choice", ANY), ("/games/{game}/picture.svg?names=1", ANY)),
    *(("/games/{game}/log?after={last}", ANY), ("/games/{game}/pictures?after={last}", ANY)),
    *(("/games/{game}/stream?after={last}", accept) for accept in (NDJSON, EVENTS)),
    *((path, ANY) for path in ("/games", "/me/games?my_turn=true", "/me/games?asked=true")),
    *(("/me/stream", accept) for accept in (NDJSON, EVENTS)),
)
READ: Final = (
    *LATEST,
    *((f"/games/{{game}}{path}", ANY) for path in OF_GAME),
    *(("/games/{game}/log?as=onlooker", NDJSON), ("/games/{game}/log", NDJSON)),
    *(("/me/export", NDJSON), ("/me/games", ANY)),
)
REFUSED: Final = ("rematch", "call-off", "resume", "claim", "abort", "start")
CLOCK: Final = Clock(60_000, "bot")
ATTEMPTS: Final = 5  # actions of a seat
Reply = tuple[str, int, str, str]  # the request; status, headers and body


def read(program: Program, game: str, paths: tuple[tuple[str, str], ...]) -> list[Reply]:
    """The replies to these requests of a program at this point."""
    seq = selectors.game_head(game).seq
    replies = []
    for path, accept in paths:
        address = BASE + path.format(game=game, seq=seq, last=seq - 1)
        response = program.get(address, headers={"Accept": accept})
        replies.append((f"{path} {accept}", *comparable_response(response)))
    return replies


def comparable_response(response: Any) -> tuple[int, str, str]:
    """A response with all its headers, without the request id."""
    headers = CHANGING.sub("", str(sorted(response.headers.items())))
    return response.status_code, headers, CHANGING.sub("", response.getvalue().decode())


def without_digests(replies: list[Reply]) -> list[Reply]:
    """The replies without salted digests, and the tags that follow from them."""
    return [
        (request, status, SALTED.sub("", head), SALTED.sub("", body))
        for request, status, head, body in replies
    ]


def differing(worlds: list[list[Reply]]) -> set[str]:
    """The requests whose replies are not the same in all worlds."""
    return {each[0][0] for each in zip(*worlds, strict=True) if each[1:] != each[:-1]}


# -- games ----------------------------------------------------------------------------------------


def game_where(world: World, slug: str, fits: Callable[[Projection], Any], steps: int = 5) -> str:
    """A game that goes on after so many random actions, or more, and fits."""
    rng = FastRng(steps)
    while True:
        game, step = world.playing(slug, clock=CLOCK, hints=True), 0
        while (table := selectors.game_projection(game)).phase == "playing":
            if step >= steps and fits(table):
                return game
            seat, action = some_action(table, rng)
            services.append_action(game, seat, action, choice=table.choice_token(seat))
            step += 1


def players(world: World, game: str) -> list[Program]:
    """The programs of all seats."""
    programs = [world.as_ada, world.as_bob]
    seats = selectors.game_projection(game).creation.seats
    return programs + [program_of(each) for each in world.others[: seats - 2] if seats > 2]


def attempts(game: str) -> list[tuple[str, Any]]:
    """Requests to act for seats 0 and 1, that come too late in any case, and others that nobody may
    make now: of actions that are legal in this world or another one."""
    table = selectors.game_projection(game)
    state: Any = table.state
    bodies = [
        {"seat": seat, "action": table.engine.action_codec.to_json(action), "expected_seq": 1}
        for seat in (0, 1)
        for code in sorted(state.legal_actions(seat) or state.legal_actions(1 - seat))[:ATTEMPTS]
        for action in [table.engine.decode(state, seat, code)]
    ]
    paths = ("actions/check", "actions")
    return [(path, body) for body in bodies for path in paths] + [
        (path, {"seat": seat, "absent": 1 - seat, "then": "bot"})
        for seat in (0, 1)
        for path in REFUSED
    ]


# -- events ---------------------------------------------------------------------------------------


class Table:
    """A game, its players, and a viewer who sits there or looks on."""

    def __init__(self, world: World, game: str, viewer: int | None) -> None:
        self.game, self.viewer, self.now = game, viewer, timezone.now()
        self.players = players(world, game)
        self.program = world.as_eve if viewer is None else self.players[viewer]
        self.attempts = attempts(game)
        self.acts = acts_alike(game, viewer)

    def send(self, seat: int, path: str, **body: Any) -> list[Reply]:
        """A request of a seat; the reply, if the viewer gets it."""
        address = f"{BASE}/games/{self.game}/{path}"
        response = self.players[seat].send(address, {"seat": seat} | body)
        reply = (path, *comparable_response(response))
        return [reply] if seat == self.viewer else []

    def propose(self, seat: int, of: str, to: int | None = None) -> list[Reply]:
        """A proposal of a seat."""
        return self.send(seat, "proposals", of=of, **({} if to is None else {"to": to}))

    def answer(self, seat: int, answer: str) -> list[Reply]:
        """The answer of a seat to the proposal that is open."""
        table = selectors.game_projection(self.game)
        seq = table.proposal.seq if table.proposal else table.seq
        return self.send(seat, f"proposals/{seq}/{answer}")

    def others(self) -> Iterator[int]:
        """The seats that an open proposal asks."""
        proposal = selectors.game_projection(self.game).proposal
        return (seat for seat in range(len(self.players)) if proposal and seat != proposal.seat)

    # each of these happens in all worlds: the replies to the viewer

    def reading(self, number: int) -> list[Reply]:
        """All that can be read."""
        return read(self.program, self.game, READ)

    def attempting(self, number: int) -> list[Reply]:
        """Requests that are refused, or change nothing."""
        replies = []
        for path, body in self.attempts:
            response = self.program.send(f"{BASE}/games/{self.game}/{path}", body)
            replies.append((f"{path} {body}", *comparable_response(response)))
        return replies

    def a_draw_is_asked(self, number: int) -> list[Reply]:
        """By one, after another one has asked for an end, and the first has declined."""
        return self.propose(0, "end") + self.answer(1, "decline") + self.propose(1, "draw")

    def a_takeback(self, number: int) -> list[Reply]:
        """Asked by whoever has acted last, and seen, before all agree."""
        points = selectors.game_projection(self.game).takeback_points
        seat, to = (points[-1].seat, points[-1].seq) if points else (0, 5)
        replies = self.propose(seat, "takeback", to) + read(self.program, self.game, LATEST)
        for each in list(self.others()):
            replies += self.answer(each, "accept")
        return replies

    def a_pause(self, number: int) -> list[Reply]:
        """Agreed on by all."""
        seats = range(len(self.players))
        return [reply for seat in seats for reply in self.propose(seat, "pause")]

    def hints(self, number: int) -> list[Reply]:
        """Taken by the viewer, with workers, and listed then."""
        if self.viewer is None:
            return []
        hint = finish_analysis(self.program, ask(self.program, self.game))
        assert hint["state"] == "done", hint
        path = "/games/{game}/analyses"
        return [("hint", 200, "", str(hint)), *read(self.program, self.game, ((path, ANY),))]

    def an_act(self, number: int) -> list[Reply]:
        """Of another seat: in each world one of its own, all of which look alike."""
        seat, action = self.acts[number]
        token = selectors.game_projection(self.game).choice_token(seat)
        return self.send(seat, "actions", choice=token, action=action)


Happening = Callable[[Table, int], list[Reply]]
HAPPENINGS: Final[tuple[Happening, ...]] = (
    *(Table.reading, Table.attempting, Table.a_draw_is_asked, Table.a_takeback, Table.a_pause),
    Table.hints,
)


def replies_in_worlds(
    table: Table, happenings: tuple[Happening, ...]
) -> tuple[list[list[Reply]], list[list[Reply]]]:
    """The replies to the viewer in each world, with each of these events, and some of those to all
    other players."""
    own: list[list[Reply]] = [[] for _ in range(WORLDS)]
    others: list[list[Reply]] = [[] for _ in range(WORLDS)]
    for number in worlds_alike(table.game, table.viewer):
        for happening in happenings:
            with undone(table.game, table.now):
                own[number] += happening(table, number) + read(table.program, table.game, LATEST)
                for seat, program in enumerate(table.players):
                    if seat != table.viewer and happening is happenings[0]:
                        others[number] += read(program, table.game, TELLING)
    return own, others


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize("steps", [pytest.param(30, marks=pytest.mark.lane("slow")), 5])
@pytest.mark.parametrize("viewer", READERS)
def test_replies_are_the_same_in_every_world(
    world: World, slug: str, viewer: int | None, steps: int, drawn: Any, settings: LazySettings
) -> None:
    settings.PARTS = 2

    def fits(table: Projection) -> bool:
        may_return = bool(table.takeback_points) or slug in WITHOUT_TAKEBACKS
        return table.is_awaited(viewer or 0) and may_return

    table = Table(world, game_where(world, slug, fits, steps), viewer)
    own, others = replies_in_worlds(table, HAPPENINGS)
    assert differing(own) == set()
    is_all_known = (slug, viewer) in ALL_KNOWN
    assert (differing(others) == set()) is is_all_known  # others see that the worlds differ


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_others_do_looks_alike_in_every_world(
    world: World, slug: str, viewer: int | None, drawn: Any
) -> None:
    """Of an action that is sealed or draws a hidden card, in the log and wherever it shows."""
    if slug == OPEN_ACTIONS:
        game = game_where(world, slug, lambda table: table.seq > 30)
        assert not acts_alike(game, viewer)
        return
    game = game_where(world, slug, lambda table: acts_alike(table.game, viewer))
    table = Table(world, game, viewer)
    own, others = replies_in_worlds(table, (Table.an_act,))
    assert differing(list(map(without_digests, own))) == set()
    assert differing(list(map(without_digests, others)))


# -- leaks ----------------------------------------------------------------------------------------


def hidden(game: str) -> int:
    """A number that differs with the hidden cards."""
    state = selectors.game_projection(game).state
    return crc32(repr(state and state.contents()).encode())


def other_seat(*_: Any) -> int:
    """The viewer, as it must not be found."""
    return 1


def other_view(endpoint: Any, request: Any, game: str) -> tuple[Projection, int]:
    """The position that a picture shows, as another seat sees it."""
    return selectors.game_projection(game), 1


def telling_proposal(table: Projection) -> str | None:
    """The proposal in the row of a game, with such a number."""
    proposal = open_proposal(table)
    number = crc32(repr(table.state and table.state.contents()).encode())
    return proposal and orjson.dumps(proposal._replace(to=number)._asdict()).decode()


def telling_seed(decision: selectors.DecisionPoint) -> int:
    """The seed of a search, by such a number."""
    return hidden(Analysis.objects.get().game_id)


def telling_choice(table: Projection, viewer: int | None) -> Any:
    """A choice with such a number as its token."""
    choice = choice_view(table, viewer)
    return choice and replace(choice, token=f"{hidden(table.game):022}")


LEAKS: Final[dict[str, tuple[dict[str, Any], Happening, tuple[str, ...]]]] = {
    "a PNG of another seat": (
        {"api.games.pictures.PngEndpoint.visible_projection": other_view},
        Table.reading,
        (*(rf"/picture\.png\?shape={shape}" for shape in SHAPES), r"/picture\.png"),
    ),
    "pictures of another seat": (
        {"api.games.pictures.PictureEndpoint.visible_projection": other_view},
        Table.reading,
        (r"/picture\.svg", r"/picture\.png", r"/picture\.txt", "/pictures"),
    ),
    "a choice that tells": (
        {"api.games.presenters.choice_view": telling_choice},
        Table.reading,
        ("/choice", r"^/games/\{game\}(\?as=seat:0|\?names=1)? "),
    ),
    "the log of another seat": (
        {"api.games.read_endpoints.viewer_of": other_seat},
        Table.an_act,
        (rf"/log.* {re.escape(ANY)}", rf"/log.* {NDJSON}", r"^/games/\{game\}(\?names=1)? "),
    ),
    "the stream of another seat": (
        {f"api.streams.{each}.viewer_of": other_seat for each in ("endpoints", "feeds")},
        Table.an_act,
        (f"/stream.* {NDJSON}", f"/stream.* {EVENTS}"),
    ),
    "a proposal that tells": (
        {"games.log_store.proposal_text": telling_proposal},
        Table.a_draw_is_asked,
        ("^/games ", r"^/me/games\?asked", r"^/me/games\?my_turn"),
    ),
    "a hint from the true state": (
        {"ai.analysis.part_worker.decision_seed": telling_seed},
        Table.hints,
        ("^hint",),
    ),
}


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_seen(
    world: World, name: str, drawn: Any, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the replies to the requests that leak, and in no others."""
    settings.PARTS = 2
    patches, happening, where = LEAKS[name]
    if happening is Table.an_act:
        game = game_where(world, SLUG, lambda table: acts_alike(table.game, 0))
    else:
        game = game_where(world, SLUG, lambda table: table.is_awaited(0))
    table = Table(world, game, 0)
    for target, leaky in patches.items():
        monkeypatch.setattr(target, leaky)
    own, _ = replies_in_worlds(table, (happening,))
    found = differing(list(map(without_digests, own)))
    assert {pattern for pattern in where if any(re.search(pattern, each) for each in found)} == {
        *where
    }
    assert [each for each in found if not re.search("|".join(where), each)] == []
