"""The scripted players of Law of the Dice."""

from __future__ import annotations

import pytest

from ai.arena.contest import Contest
from ai.arena.contestants import parse_contestant
from ai.balance.cells import Cell
from ai.balance.game_record import play_game
from ai.bot_registry import UnknownBot
from tabularium_engines.installed.registry import ruleset_of
from tabularium_engines.law_of_the_dice import ENGINES


def test_it_beats_random_players_and_calls_at_the_end_of_every_turn() -> None:
    assert Contest("law_of_the_dice", "rush", "random", 2).play_and_score(60).is_better
    engine = ENGINES[-1]
    cell = Cell(ruleset_of(engine), engine.about.options(), 3)
    uses = play_game(cell, "rush", 1).uses
    assert "end_turn" not in uses
    assert uses["call_count"] >= 3
    assert set(uses) & {"enact", "put_number", "roll"} == set()


def test_it_plays_no_other_game() -> None:
    with pytest.raises(UnknownBot):
        parse_contestant("rush", "duality")


@pytest.mark.lane("balance")
def test_building_laws_does_not_pay_by_the_printed_rules() -> None:
    engine = ENGINES[-1]
    cell = Cell(ruleset_of(engine), engine.about.options(), 2)
    assert any(play_game(cell, "build", deal).uses["enact"] for deal in range(5))
    score = Contest("law_of_the_dice", "build", "rush", 2).play_and_score(160)
    assert score.high < score.par
