"""A seat that the table does not wait for may act if the rules allow it."""

from __future__ import annotations

import pytest

from games import selectors
from games.services import StaleChoice, append_action
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.projection import Projection
from tests.games.sitting import act, bot_game, some_action, stored_rows, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

SLUG = "law"


def game_with_bill() -> tuple[str, Projection, int, Json]:
    """A game of Law in which a seat that is not on turn could play a Bill, with the seat and the
    action."""
    for seed in range(20):
        game, rng = bot_game(SLUG), FastRng(seed)
        while (table := table_of(game)).phase == "playing":
            assert table.state is not None
            for seat in range(2):
                if table.is_awaited(seat) or not table.state.legal_actions(seat):
                    continue
                actions = [offer.action for offer in choice_of(game, seat).offers]
                bills = [one for one in actions if one["type"].startswith("law.bill_")]
                if bills:
                    return game, table, seat, bills[0]
            act(game, table, rng)
    raise AssertionError("nobody ever has a Bill out of turn")


def choice_of(game: str, seat: int) -> selectors.Choice:
    """The choice of the seat, which must exist."""
    choice = selectors.game_choice(game, seat)
    assert choice is not None
    return choice


def test_a_bill_out_of_turn_is_an_entry_like_any_other() -> None:
    game, table, seat, bill = game_with_bill()
    choice = choice_of(game, seat)
    assert not choice.is_awaited
    assert bill["type"].startswith("law.bill_")
    appended = append_action(game, seat, bill, bot="random", choice=choice.token)
    assert (appended.first_seq, appended.projection.entry.seat) == (table.seq + 1, seat)


def test_whoever_comes_later_finds_the_choice_changed() -> None:
    game, table, seat, bill = game_with_bill()
    other, action = some_action(table, FastRng(1))
    assert other != seat
    choice = choice_of(game, seat)
    append_action(game, seat, bill, bot="random", choice=choice.token)
    before = stored_rows(game)
    with pytest.raises(StaleChoice):
        append_action(game, other, action, bot="random", choice=table.choice_token(other))
    assert stored_rows(game) == before
