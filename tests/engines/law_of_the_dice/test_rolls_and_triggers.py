"""Dice, the laws they trigger, and effect chains: R16 to R18."""

from __future__ import annotations

from tabularium_engines.law_of_the_dice.actions import (
    Decline,
    Draw,
    Play,
    Roll,
    ShiftNumber,
    Target,
)
from tabularium_engines.law_of_the_dice.view import Place, Rolled
from tests.engines.law_of_the_dice.tables import (
    do,
    hand,
    legal_actions,
    news_kinds,
    slot_law,
    slot_number,
    table,
    view_of,
)


def test_a_roll_triggers_any_players_law_with_that_number() -> None:
    state = table(["KS", "3S"], {1: {2: ("2H", 5)}}, pile="4H 5H 6H")
    news = do(state, 0, Play("KS"), 4, 0, 0)
    assert news_kinds(news) == ["played", "rolled", "triggered", "drew", "drew"]
    assert hand(state, 1) == {"3S", "4H", "5H"}
    assert slot_law(state, 1, 2) == "2H"
    assert view_of(state).rolled == (Rolled(0, 6, 5),)


def test_a_number_without_a_law_triggers_nothing() -> None:
    state = table(["KS", "3S"], {1: {2: (None, 5)}})
    assert news_kinds(do(state, 0, Play("KS"), 4)) == ["played", "rolled"]


def test_R16_laws_fire_clockwise_from_the_roller_and_their_owners_choose() -> None:
    tablets = {seat: {1: ("6" + suit, 3)} for seat, suit in enumerate("SHD")}
    state = table(["2S 2H", "AS 3H", "2D 2C"], tablets, turn=1)
    news = do(state, 1, Play("AS"), 2)
    assert news_kinds(news) == ["played", "rolled", "triggered"]
    assert view_of(state).waiting == (Place(2, 1), Place(0, 1))
    assert legal_actions(state, 1) == [Target(0), Target(2)]
    do(state, 1, Target(0))
    do(state, 0, legal_actions(state, 0)[0])
    assert legal_actions(state, 2) == [Target(0), Target(1)]


def test_R16_the_number_at_the_time_of_the_roll_counts() -> None:
    tablets = {0: {1: ("AH", 1), 2: ("3H", 4), 3: ("2H", 3)}, 1: {1: ("AD", 1)}}
    state = table(["AS", "5H"], tablets, pile="6H 7H 8H")
    do(state, 0, Play("AS"), 0)
    do(state, 0, Roll(), 3)
    do(state, 1, Roll(), 2)
    news = do(state, 0, ShiftNumber(3, 2), 0, 0)
    assert news_kinds(news) == ["shifted", "triggered", "drew", "drew"]
    assert slot_number(state, 0, 3) == 2


def test_R17_the_owner_of_a_triggered_die_may_roll_or_not() -> None:
    tablets = {1: {1: ("AH", 2)}}
    state = table(["AS", "5H"], tablets)
    do(state, 0, Play("AS"), 1)
    assert legal_actions(state, 1) == [Roll(), Decline()]
    assert news_kinds(do(state, 1, Decline())) == ["declined"]
    state = table(["AS", "5H"], tablets)
    do(state, 0, Play("AS"), 1)
    assert news_kinds(do(state, 1, Roll(), 3)) == ["rolled"]
    assert slot_law(state, 1, 1) == "AH"


def test_R18_a_law_is_triggered_once_in_a_chain() -> None:
    state = table(["AS", "5H"], {1: {1: ("AH", 2)}})
    do(state, 0, Play("AS"), 1)
    assert view_of(state).fired == (Place(1, 1),)
    news = do(state, 1, Roll(), 1)
    assert news_kinds(news) == ["rolled"]
    assert Draw() in legal_actions(state, 0)
    assert view_of(state).fired == ()


def test_R18_a_new_chain_triggers_it_again() -> None:
    state = table(["AS AD", "5H"], {1: {1: ("AH", 2)}})
    do(state, 0, Play("AS"), 1)
    do(state, 1, Decline())
    do(state, 0, Play("AD"), 1)
    assert legal_actions(state, 1) == [Roll(), Decline()]


def test_R18_laws_wait_in_one_queue() -> None:
    tablets = {0: {1: ("AH", 1), 2: ("2H", 2)}, 1: {1: ("2D", 1)}}
    state = table(["AS", "5H"], tablets, pile="6H 7H 8H 9H 6D 7D")
    do(state, 0, Play("AS"), 0)
    assert view_of(state).waiting == (Place(1, 1),)
    news = do(state, 0, Roll(), 1, 0, 0, 0, 0)
    assert news_kinds(news) == ["rolled", "triggered", "drew", "drew", "triggered", "drew", "drew"]
    assert [item["seat"] for item in news if item["kind"] == "triggered"] == [1, 0]
