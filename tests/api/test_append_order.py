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
from tests.api.test_matrix import refused
from tests.api.world import BASE, World, rows


@dataclass
class Asking:
    """A request, valid until a fault changes it."""

    world: World
    program: Program
    game: str
    body: Any
    key: str = ""
    query: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def sent(self) -> Any:
        """Send it; the response."""
        headers = {"Idempotency-Key": self.key} if self.key else {}
        path = f"{BASE}/games/{self.game}/actions{self.query}"
        return self.program.send(path, self.body, headers=headers, **self.extra)


def with_a_key_of_nobody(asking: Asking) -> None:
    asking.program = Program("tab_1_2")


def without_key(asking: Asking) -> None:
    asking.program = asking.world.as_nobody


def with_parameter(asking: Asking) -> None:
    asking.query = "?sede=1"


def for_reading(asking: Asking) -> None:
    asking.program = program_of(asking.world.ada, "games:read")


def elsewhere(asking: Asking) -> None:
    asking.game = "game_0"


def as_text(asking: Asking) -> None:
    asking.extra["content_type"] = "text/plain"


def half(asking: Asking) -> None:
    asking.body = b"{"


def with_member(asking: Asking) -> None:
    asking.body["sede"] = 1


def without_action(asking: Asking) -> None:
    del asking.body["action"]


def on_seat_of_another(asking: Asking) -> None:
    asking.body["seat"] = 1


def for_no_choice(asking: Asking) -> None:
    del asking.body["choice"]


def under_a_used_key(asking: Asking) -> None:
    asking.key = "used"


def for_another_choice(asking: Asking) -> None:
    if "choice" in asking.body:
        asking.body["choice"] = "0" * 22


def illegally(asking: Asking) -> None:
    if "action" in asking.body:
        asking.body["action"] = NIX


FAULTS: list[tuple[str, Callable[[Asking], None]]] = [  # in the order of the checks
    ("unauthorized", with_a_key_of_nobody),
    ("unknown-parameter", with_parameter),
    ("unauthorized", without_key),
    ("insufficient-scope", for_reading),
    ("not-found", elsewhere),
    ("unsupported-media-type", as_text),
    ("invalid-json", half),
    ("invalid-body", with_member),
    ("no-action", without_action),
    ("not-your-seat", on_seat_of_another),
    ("no-precondition", for_no_choice),
    ("idempotency-key-reused", under_a_used_key),
    ("stale-choice", for_another_choice),
    ("illegal-action", illegally),
]


@pytest.fixture
def asking(world: World) -> Asking:
    """A valid request, after another one under the key `used`."""
    game = world.awaiting()
    assert send(world.as_ada, game, world.body(game), "used").status_code == 201
    return Asking(world, world.as_ada, game, world.body(game))


def test_without_a_fault_it_is_appended(asking: Asking) -> None:
    assert asking.sent().status_code == 201


@pytest.mark.parametrize(("code", "fault"), FAULTS)
def test_one_fault(asking: Asking, code: str, fault: Callable[[Asking], None]) -> None:
    fault(asking)
    refused(asking.sent(), code)


@pytest.mark.parametrize(
    ("earlier", "later"), list(combinations(FAULTS, 2)), ids=lambda fault: fault[1].__name__
)
def test_of_two_faults_the_earlier_is_told(asking: Asking, earlier: Any, later: Any) -> None:
    before = rows()
    later[1](asking)
    if isinstance(asking.body, dict) or earlier[1] not in (with_member, without_action):
        earlier[1](asking)
    refused(asking.sent(), earlier[0])
    assert before["heads"] == rows()["heads"]
