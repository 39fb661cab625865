"""Does the sum of several searches say what they say together, whichever comes first?"""

from __future__ import annotations

from itertools import permutations

from ai.analysis import reducing
from ai.analysis.searching import Found, Step, Weighed

LONG = (Step(0, "Draw", 30), Step(1, "Pass", 20))
SHORT = (Step(0, "Draw", 9),)
FINDINGS = (
    Found(40, (Weighed(7, 30, 15.1, LONG), Weighed(3, 10, 2.2))),
    Found(30, (Weighed(3, 21, 12.7), Weighed(7, 9, 0.3, SHORT))),
    Found(20, (Weighed(5, 20, 0.1),)),
)


def test_visits_and_rewards_are_summed_by_action() -> None:
    first, second, third = reducing.summed(FINDINGS)
    assert (first.code, first.visits, first.value) == (7, 39, round(1000 * 15.4 / 39))
    assert (second.code, second.visits, second.value) == (3, 31, round(1000 * 14.9 / 31))
    assert (third.code, third.visits, third.value) == (5, 20, 5)


def test_the_line_is_that_of_whoever_tried_most_often() -> None:
    assert reducing.summed(FINDINGS)[0].line == LONG


def test_the_order_makes_no_difference() -> None:
    sums = [reducing.summed(order) for order in permutations(FINDINGS)]
    assert all(each == sums[0] for each in sums)


def test_of_equals_the_lower_number_comes_first() -> None:
    one, other = Found(5, (Weighed(8, 5, 1.0),)), Found(5, (Weighed(2, 5, 4.0),))
    assert [each.code for each in reducing.summed([one, other])] == [2, 8]


def test_what_was_never_tried_has_no_value() -> None:
    assert reducing.summed([Found(0, (Weighed(1, 0, 0.0),))])[0].value is None


def test_nothing_is_lost_on_the_way_through_the_database() -> None:
    assert [reducing.read(reducing.kept(found)) for found in FINDINGS] == list(FINDINGS)


def test_the_simulations_are_those_of_all() -> None:
    assert reducing.simulations(FINDINGS) == 90
