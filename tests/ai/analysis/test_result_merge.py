"""Merging search results: the sum is complete and independent of their order."""

from __future__ import annotations

from itertools import permutations

from ai.analysis import result_merge
from ai.analysis.decision_search import ActionStats, LineStep, SearchResult

LONG = (LineStep(0, "Draw", 30), LineStep(1, "Pass", 20))
SHORT = (LineStep(0, "Draw", 9),)
FINDINGS = (
    SearchResult(40, (ActionStats(7, 30, 15.1, LONG), ActionStats(3, 10, 2.2))),
    SearchResult(30, (ActionStats(3, 21, 12.7), ActionStats(7, 9, 0.3, SHORT))),
    SearchResult(20, (ActionStats(5, 20, 0.1),)),
)


def test_visits_and_rewards_are_summed_by_action() -> None:
    first, second, third = result_merge.combine_results(FINDINGS)
    assert (first.code, first.visits, first.value) == (7, 39, round(1000 * 15.4 / 39))
    assert (second.code, second.visits, second.value) == (3, 31, round(1000 * 14.9 / 31))
    assert (third.code, third.visits, third.value) == (5, 20, 5)


def test_the_line_is_that_of_whoever_tried_most_often() -> None:
    assert result_merge.combine_results(FINDINGS)[0].line == LONG


def test_the_order_makes_no_difference() -> None:
    sums = [result_merge.combine_results(order) for order in permutations(FINDINGS)]
    assert all(each == sums[0] for each in sums)


def test_of_equals_the_lower_number_comes_first() -> None:
    one, other = (
        SearchResult(5, (ActionStats(8, 5, 1.0),)),
        SearchResult(5, (ActionStats(2, 5, 4.0),)),
    )
    assert [each.code for each in result_merge.combine_results([one, other])] == [2, 8]


def test_what_was_never_tried_has_no_value() -> None:
    assert (
        result_merge.combine_results([SearchResult(0, (ActionStats(1, 0, 0.0),))])[0].value is None
    )


def test_nothing_is_lost_on_the_way_through_the_database() -> None:
    assert [
        result_merge.result_from_json(result_merge.result_to_json(finding)) for finding in FINDINGS
    ] == list(FINDINGS)


def test_the_simulations_are_those_of_all() -> None:
    assert result_merge.total_simulations(FINDINGS) == 90
