"""Rated tables: no player can keep one from its end, and only its players play."""

from __future__ import annotations

import json

import pytest

from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import Clock, Join, Origin, Replace, Resign
from tests.games.projection.test_life import CLOCK, refusal_code
from tests.games.sitting import NOON, dealt_writer, new_writer

STRICT = Clock(10_000, "resign")


def test_the_first_entry_says_it() -> None:
    assert new_writer(clock=STRICT, rated=True).projection.entry.action["rated"] is True


def test_of_any_other_the_first_entry_is_what_it_was_before_there_were_ratings() -> None:
    assert "rated" not in new_writer().projection.entry.action
    assert "rated" not in json.loads(new_writer().rows[0].text)["action"]


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_it_has_a_clock_that_ends_it(clock: Clock | None) -> None:
    with pytest.raises(GameRefusal) as caught:
        new_writer(clock=clock, rated=True)
    assert caught.value.code == "rated-clock"


def test_it_begins_with_a_deal() -> None:
    origin = Origin("game_0", 9, "00" * 32, None)
    with pytest.raises(GameRefusal) as caught:
        new_writer(clock=STRICT, rated=True, origin=origin)
    assert caught.value.code == "rated-fork"


def test_a_bot_has_one_seat_there() -> None:
    scribe = new_writer(4, clock=STRICT, rated=True)
    scribe.write(0, Join(bot="greedy"), NOON)
    assert refusal_code(scribe, 1, Join(bot="greedy")) == "rated-twice"
    scribe.write(1, Join(bot="random"), NOON)
    scribe.write(2, Join(), NOON)
    scribe.write(3, Join(), NOON)  # the log does not know the account
    assert all(scribe.projection.occupants)


def test_bots_play_for_those_who_have_resigned_only() -> None:
    scribe = dealt_writer(3, clock=STRICT, rated=True)
    assert refusal_code(scribe, 1, Replace("mcts")) == "rated-substitute"
    scribe.write(1, Resign(), NOON)
    assert refusal_code(scribe, 2, Replace("mcts")) == "rated-substitute"
    scribe.write(1, Replace("greedy"), NOON)
    assert scribe.projection.bot_seats == 0b10
