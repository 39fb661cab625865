"""Legs: a game of two players in which each of them begins once."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, cast

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, Result, State
from tabularium_engines.common.json_codec import MalformedDocument, to_json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINES
from tabularium_engines.law_of_the_dice.actions import Suit, Vote
from tabularium_engines.law_of_the_dice.engine import MAX_ACTIONS
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import Options, SecondOptions, ThirdOptions
from tabularium_engines.law_of_the_dice.legs import Legs
from tabularium_engines.law_of_the_dice.scoring import MAX_COUNTS
from tabularium_engines.law_of_the_dice.view import SecondView, ThirdView
from tabularium_engines.promises.random_games import play
from tabularium_engines.promises.variants import tables
from tests.engines.law_of_the_dice.tables import do, table_with_called_count

FIRST, SECOND, THIRD = ENGINES
PAIR: Final = SecondOptions(points_to_win=1, legs=2)
HANDS: Final = ["7S 8S", "2H"]  # seat 0 has the most spades, seat 1 the most hearts
NEW_DEAL: Final = [0] * 11  # five cards each, and the first card of a turn


def counted(
    suit: Suit, legs: Legs | None = None, options: SecondOptions = PAIR, counts: int = 0
) -> DiceState:
    """A table after both players have voted for a suit; seat 0 began the leg, or as `legs` say."""
    state = table_with_called_count(HANDS, options)
    state.legs = legs or Legs(1, 0, vec[i64]())
    state.scoring.counts = counts
    is_last = state.legs.leg == options.legs
    do(state, 0, Vote(suit))
    do(state, 1, Vote(suit), *([] if is_last else NEW_DEAL))
    return state


def seen(state: DiceState) -> SecondView:
    """An onlooker's view of the table."""
    view = SECOND.view(state, None)
    assert isinstance(view, SecondView)
    return view


def third_view(state: State) -> ThirdView:
    """An onlooker's view of a table of version 3."""
    view = THIRD.view(cast("DiceState", state), None)
    assert isinstance(view, ThirdView)
    return view


def result(state: DiceState) -> Result:
    """The result of a game that is over."""
    found = SECOND.result(state)
    assert found is not None
    return found


@pytest.mark.parametrize("opener", [0, 1])
def test_R35_the_second_leg_is_a_new_deal_that_the_other_player_begins(opener: int) -> None:
    state = counted("spades", Legs(1, opener, vec[i64]()))
    view, other = seen(state), 1 - opener
    assert (view.leg, view.opener, view.starter, view.turn) == (2, other, other, other)
    assert (view.points, view.first_points, view.counts) == ((0, 0), (1, 0), 0)
    assert (view.last_count, view.opened, view.caller) == (None, (), None)
    assert sorted(view.hand_sizes) == [5, 6]
    assert (view.discard_pile, view.winners) == ((), ())
    assert [task.kind for task in view.agenda] == ["end", "act", "act"]


def test_R35_laws_that_a_count_keeps_do_not_stay_for_the_second_leg() -> None:
    for options, leg in ((PAIR, 2), (replace(PAIR, points_to_win=2), 1)):
        state = table_with_called_count(HANDS, replace(options, laws_kept=True))
        state.legs = Legs(1, 0, vec[i64]())
        state.tablets.numbers[0] = 20
        do(state, 0, Vote("spades"))
        do(state, 1, Vote("spades"), *NEW_DEAL)
        view = seen(state)
        assert (view.leg, view.laws[0][0].number) == (leg, None if leg == 2 else 20)


def test_R35_the_news_say_who_won_the_first_leg() -> None:
    state = table_with_called_count(HANDS, PAIR)
    state.legs = Legs(1, 0, vec[i64]())
    do(state, 0, Vote("spades"))
    news = do(state, 1, Vote("spades"), *NEW_DEAL)
    (item,) = (item for item in news if item["kind"] == "leg_over")
    assert item["text"] == "Leg 1 goes to Seat 0, 1 : 0; Seat 1 begins the second leg"
    kinds = [item["kind"] for item in news]
    assert kinds[-6:] == ["counted", "leg_over", "dealt", "dealt", "turn", "drew"]


def test_R35_each_leg_has_its_own_limit_of_counts() -> None:
    options = replace(PAIR, points_to_win=3)
    state = counted("diamonds", options=options, counts=MAX_COUNTS - 1)
    view = seen(state)
    assert (view.leg, view.counts, view.first_points) == (2, 0, (0, 0))
    state = counted("spades", Legs(2, 1, vec[i64]([0, 0])), options, counts=MAX_COUNTS - 1)
    assert (state.to_act, state.returns()) == (0, [0.75, 0.25])
    assert SECOND.about.max_actions == 2 * MAX_ACTIONS


def test_R35_a_game_of_one_leg_or_of_version_1_ends_with_it() -> None:
    state = counted("spades", options=replace(PAIR, legs=1))
    assert (state.to_act, state.returns()) == (0, [1.0, 0.0])
    assert result(state).reason == "Seat 0 wins with 1 point after 1 count."
    assert "legs" not in to_json(Options())


def test_R35_two_legs_are_for_two_players() -> None:
    assert SECOND.read_options({"legs": 2}, 2) == SecondOptions(legs=2)
    for seats in range(3, 7):
        with pytest.raises(MalformedDocument, match="must be 1 at a table of") as caught:
            SECOND.read_options({"legs": 2}, seats, "/options")
        assert caught.value.pointer == "/options/legs"
        assert SECOND.read_options({"legs": 1}, seats) == SecondOptions()
    assert {table.seats for table in tables(SECOND) if table.options.legs == 2} == {2}


@pytest.mark.parametrize(
    ("first_points", "suit", "payoffs", "winners"),
    [
        ((3, 1), "spades", [1.0, 0.0], (0,)),  # 2 : 0
        ((1, 3), "spades", [0.5, 0.5], (0, 1)),  # 1 : 1
        ((3, 1), "hearts", [0.5, 0.5], (0, 1)),
        ((0, 1), "hearts", [0.0, 1.0], (1,)),
        ((2, 2), "spades", [0.75, 0.25], (0,)),  # 1½ : ½
        ((2, 2), "hearts", [0.25, 0.75], (1,)),
    ],
)
def test_R36_the_payoff_is_the_mean_of_the_legs(
    first_points: tuple[int, int], suit: Suit, payoffs: list[float], winners: tuple[int, ...]
) -> None:
    state = counted(suit, Legs(2, 1, vec[i64](first_points)))
    assert (state.to_act, state.returns()) == (0, payoffs)
    assert result(state).winners == seen(state).winners == winners


def test_R37_the_scores_are_the_points_of_both_legs() -> None:
    ended = result(counted("spades", Legs(2, 1, vec[i64]([1, 3]))))
    assert ended.scores == (2, 3)
    score = "1 : 3 in the first leg and 1 : 0 in the second leg"
    assert ended.reason == f"Seats 0 and 1 share the victory: {score}."


@pytest.mark.parametrize(("legs", "seats", "played"), [(0, 2, 2), (1, 2, 1), (2, 2, 2), (0, 3, 1)])
def test_R42_two_players_play_two_legs_unless_they_say_otherwise(
    legs: int, seats: int, played: int
) -> None:
    options = ThirdOptions(points_to_win=1, legs=legs)
    positions = play(THIRD, options, seats, 4).positions
    views = [third_view(position.state) for position in positions]
    assert max(view.leg for view in views) == played
    assert all(view.options == options for view in views)
    assert ("in each of two legs" in THIRD.text(views[0])) is (played > 1)
    assert (len(views[-1].first_points) > 0) is (played > 1)


@pytest.mark.parametrize("seed", range(6))
def test_R35_in_whole_games_each_player_begins_one_leg(seed: int) -> None:
    positions = play(SECOND, SecondOptions(legs=2), 2, seed).positions
    views = [seen(cast("DiceState", position.state)) for position in positions]
    openers = [(view.leg, view.opener) for view in views]
    first = views[0].turn
    assert list(dict.fromkeys(openers)) == [(1, first), (2, 1 - first)]
    begins = next(view for view in views if view.leg == 2)
    assert (begins.turn, begins.points) == (1 - first, (0, 0))
    assert max(begins.first_points) == max(views[-1].points) == 3


@pytest.mark.parametrize(
    ("engine", "options", "seats", "is_ratable"),
    [
        (SECOND, SecondOptions(legs=2), 2, True),
        (SECOND, SecondOptions(), 2, False),
        (SECOND, SecondOptions(), 3, True),
        (SECOND, Options(), 2, False),  # a new game of version 1, judged by version 2
        (SECOND, Options(), 3, True),
        (FIRST, Options(), 2, True),  # a log of version 1
        (THIRD, ThirdOptions(), 2, True),
        (THIRD, ThirdOptions(legs=1), 2, False),
        (THIRD, ThirdOptions(legs=1), 3, True),
        (THIRD, Options(), 2, False),
        (THIRD, SecondOptions(), 2, False),
        (THIRD, SecondOptions(legs=2), 2, True),
    ],
)
def test_R38_a_rated_game_of_two_players_has_two_legs(
    engine: AnyEngine, options: Options, seats: int, is_ratable: bool
) -> None:
    refusal = engine.rating_refusal(options, seats)
    assert (refusal == "") is is_ratable
    way = "version 2 with the option `legs: 2`" if engine is SECOND else "version 3 without"
    assert is_ratable or way in refusal


def test_pages_and_pictures_tell_the_leg_and_who_won_the_first() -> None:
    state = SECOND.start(SecondOptions(legs=2), 2, FastRng(3))
    opener = seen(state).opener
    assert f"Leg 1 of 2: seat {opener} began." in SECOND.text(seen(state))
    assert ">leg 1<" not in SECOND.svg(seen(state))
    state = counted("hearts")
    page, picture = SECOND.text(seen(state)), SECOND.svg(seen(state))
    assert "Leg 2 of 2: seat 1 began; the first went to seat 1, 0 : 1." in page
    assert "in each of two legs" in page
    assert picture.count(">leg 1<") == 1
    shared = counted("clubs", options=replace(PAIR, counted="laws"), counts=MAX_COUNTS - 1)
    assert "the first was shared, 0 : 0." in SECOND.text(seen(shared))
    assert SECOND.svg(seen(shared)).count(">leg 1<") == 2


def test_a_view_says_all_that_a_world_needs_of_the_legs() -> None:
    state = counted("spades")
    view = SECOND.view(state, 0)
    world = SECOND.imagine(view, FastRng(1))
    assert world.legs.contents() == state.legs.contents() == [2, 1, [1, 0]]
    assert SECOND.view(world, 0) == view
    state.determinize(0, FastRng(2))
    assert SECOND.view(state, 0) == view
