"""Of two faults the one that is checked first is reported, in the order of FAULTS: the caller, the
game, the form of the request, its seat and choice, and only then the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from tests.api.program import Program, program_of
from tests.api.test_append import NIX, send
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows

pytestmark = pytest.mark.stores


@dataclass
class ActionRequest:
    """A request, valid until a fault changes it."""

    world: World
    program: Program
    game: str
    body: Any
    key: str = ""
    query: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def send(self) -> Any:
        """Send it; the response."""
        headers = {"Idempotency-Key": self.key} if self.key else {}
        path = f"{BASE}/games/{self.game}/actions{self.query}"
        return self.program.send(path, self.body, headers=headers, **self.extra)


def with_a_key_of_nobody(action_request: ActionRequest) -> None:
    action_request.program = Program("tab_1_2")


def without_key(action_request: ActionRequest) -> None:
    action_request.program = action_request.world.as_nobody


def with_parameter(action_request: ActionRequest) -> None:
    action_request.query = "?sede=1"


def for_reading(action_request: ActionRequest) -> None:
    action_request.program = program_of(action_request.world.ada, "games:read")


def on_unknown_game(action_request: ActionRequest) -> None:
    action_request.game = "game_0"


def as_text(action_request: ActionRequest) -> None:
    action_request.extra["content_type"] = "text/plain"


def with_half_a_body(action_request: ActionRequest) -> None:
    action_request.body = b"{"


def with_member(action_request: ActionRequest) -> None:
    action_request.body["sede"] = 1


def without_action(action_request: ActionRequest) -> None:
    del action_request.body["action"]


def on_seat_of_another(action_request: ActionRequest) -> None:
    action_request.body["seat"] = 1


def for_no_choice(action_request: ActionRequest) -> None:
    del action_request.body["choice"]


def under_a_used_key(action_request: ActionRequest) -> None:
    action_request.key = "used"


def for_another_choice(action_request: ActionRequest) -> None:
    if "choice" in action_request.body:
        action_request.body["choice"] = "0" * 22


def illegally(action_request: ActionRequest) -> None:
    if "action" in action_request.body:
        action_request.body["action"] = NIX


FAULTS: list[tuple[str, Callable[[ActionRequest], None]]] = [  # in the order of the checks
    ("unauthorized", with_a_key_of_nobody),
    ("unknown-parameter", with_parameter),
    ("unauthorized", without_key),
    ("insufficient-scope", for_reading),
    ("not-found", on_unknown_game),
    ("unsupported-media-type", as_text),
    ("invalid-json", with_half_a_body),
    ("invalid-body", with_member),
    ("no-action", without_action),
    ("not-your-seat", on_seat_of_another),
    ("no-precondition", for_no_choice),
    ("idempotency-key-reused", under_a_used_key),
    ("stale-choice", for_another_choice),
    ("illegal-action", illegally),
]


@pytest.fixture
def action_request(world: World) -> ActionRequest:
    """A valid request, after another one under the key `used`."""
    game = world.awaiting()
    assert send(world.as_ada, game, world.body(game), "used").status_code == 201
    return ActionRequest(world, world.as_ada, game, world.body(game))


def test_without_a_fault_it_is_appended(action_request: ActionRequest) -> None:
    assert action_request.send().status_code == 201


@pytest.mark.parametrize(("code", "fault"), FAULTS)
def test_one_fault(
    action_request: ActionRequest, code: str, fault: Callable[[ActionRequest], None]
) -> None:
    fault(action_request)
    assert_refused(action_request.send(), code)


@pytest.mark.parametrize(
    ("earlier", "later"), list(combinations(FAULTS, 2)), ids=lambda fault: fault[1].__name__
)
def test_of_two_faults_the_earlier_is_told(
    action_request: ActionRequest, earlier: Any, later: Any
) -> None:
    before = rows()
    later[1](action_request)
    if isinstance(action_request.body, dict) or earlier[1] not in (with_member, without_action):
        earlier[1](action_request)
    assert_refused(action_request.send(), earlier[0])
    assert before["heads"] == rows()["heads"]
