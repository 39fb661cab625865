"""Replies reveal nothing hidden: in worlds that a seat cannot distinguish, each request gets the
same body, headers and length, except for salted digests."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from games import position_cache
from tests.api.program import Program
from tests.api.world import BASE, World
from tests.api.worlds_alike import worlds_alike

CHANGING: Final = re.compile(r"req_[0-9a-f]{32}")
READ: Final = (
    *("", "/choice", "/picture.svg", "/picture.txt", "/proof", "/log?after=0&limit=1"),
    *("/picture.svg?shape=tall", "/picture.svg?shape=square&names=1"),
    *("/pictures?after={last}", "/pictures?after={last}&as=onlooker", "/pictures?as=seat:1"),
    *("/states/{seq}", "/states/{seq}?as=onlooker", "/states/{seq}?as=seat:1", "/log/9999"),
    *("/states/{seq}?as=everything", "/log/{seq}/thought", "/replay.webp"),
    *("?as=onlooker", "?as=seat:0", "?as=seat:1", "/export?as=seat:9"),
)
CARDS: Final = ("AS", "7H", "2C", "10D")
ATTEMPTS: Final[tuple[dict[str, Any], ...]] = (
    *({"kind": kind, "card": card} for kind in ("play", "discard", "give") for card in CARDS),
    *({"kind": "enact", "card": card, "slot": 1} for card in CARDS),
    *({"kind": kind} for kind in ("draw", "roll", "decline", "end_turn", "nix")),
    *({"kind": kind, "suit": "hearts"} for kind in ("vote", "decide")),
)


def read(program: Program, game: str, seq: int) -> list[Any]:
    """The replies to everything that a program can read at this point."""
    return [
        comparable_response(program.get(f"{BASE}/games/{game}{path.format(seq=seq, last=seq - 1)}"))
        for path in READ
    ]


def replies_to_actions(program: Program, game: str) -> list[Any]:
    """The replies to actions that a program tries."""
    responses = []
    for attempt in ATTEMPTS:
        action = {"type": f"law_of_the_dice.{attempt['kind']}", **attempt}
        del action["kind"]
        for seat in (0, 1):
            body = {"seat": seat, "action": action, "expected_seq": 1}
            responses.append(program.send(f"{BASE}/games/{game}/actions/check", body))
            responses.append(program.send(f"{BASE}/games/{game}/actions", body))
    return [comparable_response(response) for response in responses]


def comparable_response(response: Any) -> Any:
    """A response with all its headers, without the request id."""
    headers = CHANGING.sub("", str(sorted(response.headers.items())))
    return response.status_code, headers, CHANGING.sub("", response.getvalue().decode())


@pytest.mark.lane("slow", core=3)
@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("steps", [0, 5, 17, 30])
def test_replies_are_the_same_in_every_world(world: World, viewer: int | None, steps: int) -> None:
    game = world.game_after(steps)
    position = position_cache.current_position(game)
    other_programs = {0: [world.as_bob], 1: [world.as_ada], None: [world.as_ada, world.as_bob]}[
        viewer
    ]
    program = {0: world.as_ada, 1: world.as_bob, None: world.as_eve}[viewer]
    replies, other_replies = [], []
    for _ in worlds_alike(game, viewer):
        replies.append(
            (read(program, game, position.projection.seq), replies_to_actions(program, game))
        )
        other_replies.append([read(each, game, position.projection.seq) for each in other_programs])
    assert replies[1:] == replies[:-1]
    assert other_replies[1:] != other_replies[:-1]  # other viewers see that the worlds differ
