"""Records of games between equal bots: who won by order from the starter, the length, the course
and what occurred."""

from __future__ import annotations

import pytest

from ai.balance.cells import Cell, cells_of
from ai.balance.game_record import names_in, play_game
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES, RULESETS, ruleset_of
from tabularium_engines.promises.variants import tables


def default_cell(slug: str, seats: int) -> Cell:
    engine = ENGINES[slug]
    return Cell(ruleset_of(engine), engine.about.options(), seats)


@pytest.mark.parametrize("engine", RULESETS.values(), ids=lambda engine: str(ruleset_of(engine)))
def test_cells_are_all_numbers_of_seats_with_every_value_of_every_option(
    engine: AnyEngine,
) -> None:
    cells = list(cells_of(engine))
    assert len({cell.key for cell in cells}) == len(cells)
    played = {(table.seats, table.options) for table in tables(engine)}
    assert {(cell.seats, cell.options) for cell in cells} <= played
    assert sum(cell.is_default for cell in cells) == len({cell.seats for cell in cells})


def test_the_variant_is_in_the_name_of_a_cell() -> None:
    names = {cell.key for cell in cells_of(ENGINES["law"])}
    assert "law 2 3 default" in names
    assert "law 2 4 deck=introductory" in names


def test_shares_are_by_order_from_the_starter() -> None:
    cell = default_cell("law_of_the_dice", 3)
    orders = set()
    for deal in range(12):
        state = cell.engine.start(cell.options, 3, FastRng(deal))
        starter = cell.engine.awaited_seats(state)[0]
        record = play_game(cell, "random", deal)
        assert sum(record.shares) == pytest.approx(1)
        orders.add((starter, max(range(3), key=record.shares.__getitem__)))
    assert len({starter for starter, _ in orders}) == 3
    assert len({order for _, order in orders}) == 3


def test_a_deal_is_always_the_same_game() -> None:
    cell = default_cell("duel_edged_sword", 4)
    assert play_game(cell, "greedy", 5) == play_game(cell, "greedy", 5)
    assert play_game(cell, "greedy", 5) != play_game(cell, "greedy", 6)


def test_what_occurs_is_counted_once_for_each_time() -> None:
    record = play_game(default_cell("law_of_the_dice", 2), "greedy", 1)
    uses = record.uses
    actions = {"play", "enact", "put_number", "draw", "call_count", "end_turn", "vote", "decide"}
    actions |= {"target", "shift_number", "swap_numbers", "discard", "give", "roll", "decline"}
    assert sum(uses.get(kind, 0) for kind in actions) == record.decisions
    for kind in ("play", "enact", "vote"):
        named = sum(times for name, times in uses.items() if name.startswith(f"{kind} "))
        assert named == uses.get(kind, 0)
    assert uses["called"] == uses["call_count"]
    assert uses["counted"] >= 3


def test_a_turn_is_a_run_of_decisions_by_one_seat() -> None:
    record = play_game(default_cell("duality", 2), "random", 3)
    assert record.turns == record.decisions
    record = play_game(default_cell("law_of_the_dice", 2), "random", 3)
    assert record.uses["turn"] <= record.turns < record.decisions


def test_a_game_cannot_be_decided_early_by_a_favourite_that_loses() -> None:
    cell = default_cell("law", 2)
    records = [play_game(cell, "greedy", deal) for deal in range(40)]
    assert any(record.is_decided_early for record in records)
    assert any(record.has_lead_change for record in records)
    assert not all(record.is_decided_early for record in records)


def test_names_are_the_texts_among_the_fields() -> None:
    fields = {"type": "law.bill", "cards": ["7S", "7H"], "suit": "hearts", "slot": 2, "value": ""}
    assert list(names_in("bill", fields)) == ["bill", "bill 7S", "bill 7H", "bill hearts"]
