"""Duality agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import installed_versions
from tests.referees import runner
from tests.referees.duality import PASS, DualityReferee, Path, Place

pytestmark = pytest.mark.lane("referees", core=1)

Rulebook = DualityReferee
SHORT, LONG = 12, 500  # games: all lengths of the file
PASS_WITH_CARDS: Final = 292  # the seed of a game in which a player who holds cards passes


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT


def reach_last(self: Rulebook, seat: int) -> dict[Place, set[int]]:
    """A path counts up to where it reaches a place for the last time."""
    ports: dict[Place, set[int]] = {}
    for path in self.paths(seat):
        for place, port in dict(path.arrivals).items():
            ports.setdefault(place, set()).add(port)
    return ports


def begin_beside_any_column(self: Rulebook, seat: int, place: Place) -> bool:
    """The leftmost and rightmost cards are those of the whole board."""
    columns = [column for _, column in self.board]
    edges = (min(columns) - 1, max(columns) + 1)
    return place[0] == self.home_row(seat) and (place in self.board or place[1] in edges)


def always_pass(self: Rulebook, seat: int) -> list[Any]:
    """Any player may pass."""
    actions = Rulebook.legal_actions(self, seat)
    return actions if not actions or PASS in actions else [*actions, PASS]


def give_it_to_the_mover(self: Rulebook, seat: int) -> list[Path]:
    """A path wins for the player who completes it."""
    paths: Iterator[Path] = (path for owner in (0, 1) for path in self.paths(owner))
    return [path for path in paths if path.ending == "complete"]


def pass_in_silence(self: Rulebook, seat: int) -> None:
    """A pass shows nothing."""
    self.passes += 1
    self.history.append(None)


MISREADINGS: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {  # with the seed of a game
    "R2 equal ways to lie are two": (0, {"can_turn": staticmethod(lambda card: True)}),
    "R4 a path counts every crossing": (
        0,
        {
            "longest": lambda self: [
                max((len(path.arrivals) - 1 for path in self.paths(seat)), default=0)
                for seat in (0, 1)
            ]
        },
    ),
    "R5 the edge of the table is no connection": (
        0,
        {
            "is_connected": lambda self, place, port, laid: (
                self.outer_side(place, port) is None
                and Rulebook.is_connected(self, place, port, laid)
            )
        },
    ),
    "R7 the whole board has edges": (0, {"may_begin": begin_beside_any_column}),
    "R8 the last arrival counts": (0, {"reached": reach_last}),
    "R12 any player may pass": (0, {"legal_actions": always_pass}),
    "R13 the mover wins": (0, {"complete_paths": give_it_to_the_mover}),
    "R16 a pass shows nothing": (PASS_WITH_CARDS, {"pass_turn": pass_in_silence}),
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_ruling_is_found(name: str) -> None:
    first, methods = MISREADINGS[name]
    with pytest.raises(runner.Disagreement):
        check_from(first, type("Misread", (Rulebook,), methods))


def check_from(first: int, kind: type[Rulebook]) -> None:
    """Check some games, from that of a seed on."""
    for seed in range(first, first + SHORT):
        runner.check_game(kind, runner.refereed_game(Rulebook.slug, 1, seed))


def test_a_pass_with_cards_is_followed() -> None:
    runner.check_game(Rulebook, runner.refereed_game(Rulebook.slug, 1, PASS_WITH_CARDS))
