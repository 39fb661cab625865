"""Duel-Edged Sword agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import installed_versions
from tests.referees import runner
from tests.referees.duel_edged_sword import (
    DuelEdgedSwordReferee,
    Laid,
    Player,
    is_complete,
    is_truth,
)

pytestmark = pytest.mark.lane("referees", core=1)

Rulebook = DuelEdgedSwordReferee
SHORT, LONG = 12, 500  # games of each version: all variants once
SHORT_BLOCKED, LONG_BLOCKED = 2, 100  # matches of twelve rounds


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT


class Blockers(runner.Players):
    """Players who keep Trues and Falses at the ends of rows, so that the next one fits nowhere."""

    def weight(self, action: Any) -> float:
        is_left = (action["row"], action.get("side")) == (1, "left")
        return 1.0 if is_truth(action["card"]) or is_left else 0.001


def long_game(version: int, seed: int) -> runner.RefereedGame:
    """A match of twelve rounds."""
    game = runner.refereed_game(Rulebook.slug, version, seed)
    return runner.with_options(game, rounds=12, target=0)


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees_on_busts(version: int, games_count: Callable[[int, int], int]) -> None:
    for seed in range(games_count(SHORT_BLOCKED, LONG_BLOCKED)):
        runner.check_game(Rulebook, long_game(version, seed), Blockers)


class TurnsBack(Laid):
    """A card that a pairing turns up again if it lies face down."""

    def __setattr__(self, name: str, value: Any) -> None:
        was_up = getattr(self, "is_up", True)
        super().__setattr__(name, value if was_up or name != "is_up" else True)


def match_with_hidden_cards(self: Rulebook, seat: int, row: list[Laid]) -> None:
    """A face-down card matches as an open one does."""
    kinds = [laid.card for laid in row]
    if kinds[0] in kinds[1:] and not is_complete(kinds[0]):
        end = kinds.index(kinds[0], 1) + 1
        del row[:end]
        self.collect(seat, kinds[:end])
    else:
        Rulebook.settle(self, seat, row)


def pair_before_matching(self: Rulebook, seat: int, row: list[Laid]) -> None:
    """A pairing precedes a match."""
    other = {"true": "false", "false": "true"}.get(row[0].card)
    cards = [laid.card for laid in row]
    if other in cards:
        for laid in row[1 : cards.index(other)]:
            laid.is_up = False
    else:
        Rulebook.settle(self, seat, row)


def lay_cards_that_turn_back(self: Rulebook, seen: runner.Seen) -> None:
    """A pairing turns face-down cards up."""
    Rulebook.deal(self, seen)
    self.rows = [[TurnsBack(laid.card) for laid in row] for row in self.rows]


def keep_the_leader(self: Rulebook, seen: runner.Seen) -> None:
    """The same player leads each round."""
    leader = self.leader
    Rulebook.end_round(self, seen)
    self.leader = leader


def last_round_without_target(self: Rulebook) -> bool:
    """A match with a target ends with its rounds."""
    return self.number >= int(self.options["rounds"])


def seek_cards_on_the_table(self: Rulebook, seen: runner.Seen) -> int:
    """The challenge covers the Completes that came to the table, in every version."""
    return self.table_completes if self.mode == "collaborative" else 0


MISREADINGS: Final[Mapping[str, tuple[int, int, dict[str, Any]]]] = {
    "R3 each player has as many": (1, 0, {"pile_sizes": lambda self: [15] * 4}),
    "R7 the lead stays": (1, 0, {"end_round": keep_the_leader}),
    "R8 a single card has two ends": (2, 0, {"ends": lambda self, row: ["left", "right"]}),
    "R8 a single card is one place": (
        1,
        0,
        {"ends": lambda self, row: ["left", "right"][: len(row)] or ["open"]},
    ),
    "R10 a pairing precedes": (1, 0, {"settle": pair_before_matching}),
    "R11 hidden cards match": (1, 0, {"settle": match_with_hidden_cards}),
    "R12 hidden cards turn up": (1, 0, {"deal": lay_cards_that_turn_back}),
    "R14 the rest of the pile is played": (
        1,
        0,
        {"leave": lambda self, seat, standing: setattr(self.players[seat], "standing", standing)},
    ),
    "R16 only cards on the table": (2, 8, {"sought": seek_cards_on_the_table}),
    "R17 a team's points are shared out": (1, 3, {"points_of_round": lambda self, kept: kept}),
    "R19 a target ends nothing": (1, 10, {"is_last_round": last_round_without_target}),
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_ruling_is_found(name: str) -> None:
    version, seed, methods = MISREADINGS[name]
    game = runner.refereed_game(Rulebook.slug, version, seed)
    with pytest.raises(runner.Disagreement):
        runner.check_game(type("Misread", (Rulebook,), methods), game)


def test_a_bust_player_who_goes_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rulebook, "bust", lambda self, seat, card: None)
    with pytest.raises(runner.Disagreement):
        runner.check_game(Rulebook, long_game(1, 1), Blockers)


def test_a_cut_player_with_points_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Player, "kept", property(lambda player: len(player.completes)))
    with pytest.raises(runner.Disagreement):
        runner.check_game(Rulebook, runner.refereed_game(Rulebook.slug, 1, 3))
