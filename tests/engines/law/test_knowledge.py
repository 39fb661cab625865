"""Knowledge in views: the hidden cards that each viewer knows (R60, R61)."""

from __future__ import annotations

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE, card_moves
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState, advance
from tabularium_engines.law.rulings import RULINGS, Rulings
from tests.engines.law.tables import cards, codes, do, hand, table, view_of


def known_cards(state: LawState, seat: int | None) -> dict[int, set[str]]:
    """By seat, the cards that the viewer knows to be in its hand."""
    return {item.seat: set(item.cards) for item in view_of(state, seat).known}


def news_text(state: LawState, seat: int | None) -> str:
    """The news of the last action for this viewer, as one text."""
    return " ".join(item["text"] for item in ENGINE.news(state, seat))


# -- passing, swapping, stealing ------------------------------------------------------------------


def table_after_pass() -> LawState:
    """The table after seat 0 has passed the 2S to seat 1."""
    state = table(["2S 3S 4S", "3D 4D", "6D 7D"], {0: "8C"})
    do(state, 0, a.Attend("pass_left"))
    do(state, 0, a.Choose("2S"))
    return state


def test_R60_a_passed_card_is_known_to_both_players() -> None:
    state = table_after_pass()
    assert known_cards(state, 0) == {1: {"2S"}}
    assert known_cards(state, 1) == known_cards(state, 2) == known_cards(state, None) == {}
    assert "2♠" in news_text(state, 0)
    assert "2♠" in news_text(state, 1)
    assert "2♠" not in news_text(state, 2)
    assert "2♠" not in news_text(state, None)


def test_R60_a_discarded_card_leaves_the_known_hand() -> None:
    state = table_after_pass()
    do(state, 0, a.Discard("3S", 1))
    for card in ("9C", "10C", "JC"):
        do(state, 1, a.Take(0), card)
    do(state, 1, a.Discard("2S", 1))
    assert known_cards(state, 0) == {}


def test_R60_a_card_is_unknown_once_an_unseen_card_leaves_the_hand() -> None:
    state = table_after_pass()
    do(state, 0, a.Discard("3S", 1))
    for card in ("9C", "10C", "JC"):
        do(state, 1, a.Take(0), card)
    do(state, 1, a.Attend("pass_left"))
    do(state, 1, a.Choose("3D"))
    assert known_cards(state, 0) == {}
    assert known_cards(state, 1) == {2: {"3D"}}


def test_R60_swapped_cards_are_known_to_both_players() -> None:
    state = table(["2S 3S", "3D 4D", "6D 7D"], {0: "8D"})
    do(state, 0, a.Attend("swap_left"))
    do(state, 0, a.Choose("2S"))
    do(state, 1, a.Choose("3D"))
    assert known_cards(state, 0) == {1: {"2S"}}
    assert known_cards(state, 1) == {0: {"3D"}}
    assert known_cards(state, 2) == {}
    assert "3♦" not in news_text(state, 2)


def test_R60_a_revealed_hand_stays_known() -> None:
    state = table(["2S 3S", "3D 4D 6D", "7D 8D"], {0: "AC"})
    do(state, 0, a.Reveal(1))
    do(state, 0, a.Choose("3D"))
    assert known_cards(state, 0) == {1: {"4D", "6D"}}
    assert known_cards(state, 1) == {0: {"3D"}}
    assert known_cards(state, 2) == {}
    assert "4♦" not in news_text(state, 2)


def test_R60_an_open_hand_stays_known_when_it_is_closed() -> None:
    state = table(["7S 7H 7D 2S", "3D 4D", "6D"], {1: "JD"}, discards="10C KD")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    assert known_cards(state, 2) == {0: {"2S"}, 1: {"3D", "4D"}}  # both have the most Laws
    do(state, 0, a.ChooseLaw("JD"), "8C")
    assert known_cards(state, 2) == {0: {"2S"}, 1: {"3D", "4D"}}


def test_R60_a_card_asked_for_and_given_is_known_to_all() -> None:
    state = table(["2S 3S", "3D 4D", "6D"], {0: "AH"})
    do(state, 0, a.Ask(1, "3D"))
    assert known_cards(state, 2) == known_cards(state, None) == {0: {"3D"}}


def test_R60_hands_that_change_owners_are_known_to_their_former_owners() -> None:
    state = table(["5S 2S", "3S", "4S 4D"], {0: "6H"})
    do(state, 0, a.Discard("5S", 1))
    assert known_cards(state, 0) == {1: {"2S"}}
    assert known_cards(state, 1) == {2: {"3S"}}
    assert known_cards(state, None) == {}


def test_R60_a_card_taken_from_the_discards_is_known_to_all() -> None:
    state = table(["2S 3S", "3D"], discards="9C KD", takes=1)
    do(state, 0, a.Take(1))
    assert known_cards(state, 1) == known_cards(state, None) == {0: {"KD"}}


@pytest.mark.parametrize("open_seat", [0, 1])
def test_R60_all_viewers_see_a_card_that_leaves_or_joins_an_open_hand(open_seat: int) -> None:
    state = table(["2S 3S 4S", "3D 4D", "6D 7D"], {open_seat: "JD 8C"})
    do(state, 0, a.Attend("pass_left"))
    do(state, 0, a.Choose("2S"))
    assert "2S" in known_cards(state, 2)[1]
    assert "2♠" in news_text(state, 2)


def test_R60_all_viewers_see_a_swap_with_an_open_hand() -> None:
    state = table(["2S 3S", "3D 4D", "6D 7D"], {1: "JD 8D"})
    do(state, 0, a.Attend("swap_left"))
    do(state, 0, a.Choose("2S"))
    assert "2♠" not in news_text(state, 2)
    do(state, 1, a.Choose("3D"))
    assert known_cards(state, 2) == {0: {"3D"}, 1: {"2S", "4D"}}


# -- piles --------------------------------------------------------------------------------------


def test_R60_discards_in_a_face_down_pile_are_known_to_all_who_saw_them() -> None:
    state = table(["2S 3S 4S", "3D"], {0: "9C"}, discards="QD KD")
    for viewer in range(3):
        state.known_cards[viewer] = 0
    do(state, 0, a.Discard("2S", 1))
    assert view_of(state, 1).discard_piles == ((None, None, "2S"),)


def test_R60_a_card_put_onto_the_draw_pile_is_known_to_all() -> None:
    state = table(["2S 3S", "3D"], {0: "9H"})
    do(state, 0, a.Discard("2S", 0))
    assert view_of(state, 1).draw_top == view_of(state).draw_top == ("2S",)
    do(state, 1, a.Take(0))
    assert known_cards(state, 0) == {1: {"2S"}}


def test_R60_a_contribution_is_known_to_be_in_the_draw_pile_until_one_is_drawn_unseen() -> None:
    hands = ["2S 3S 4S", "3D 4D 6D"]  # so few cards end a game of version 2 (R17)
    state = table(hands, takes=2, pile="10S", is_rest_removed=True, rulings=RULINGS[1])
    do(state, 0, a.Take(0), "10S")
    for seat, given in ((0, ("2S", "3S")), (1, ("3D", "4D"))):
        for card in given:
            do(state, seat, a.Choose(card))
    assert set(view_of(state, 0).draw_known) == {"2S", "3S"}
    assert set(view_of(state, 1).draw_known) == {"3D", "4D"}
    do(state, 0, a.Take(0), "3D")
    assert view_of(state, 1).draw_known == ()


def test_R60_a_draw_from_a_face_up_pile_is_known() -> None:
    state = table(["2S 3S", "3D"], {0: "9S"}, stack="KH", takes=1)
    do(state, 0, a.Take(0), "9D")
    assert known_cards(state, 1) == {0: {"KH"}}


def test_R60_a_card_seen_by_one_player_is_unknown_to_all_others() -> None:
    state = table(["2S 3S", "3D"], {0: "9S"}, stack="KH", takes=1, bound={"9S": 1})
    do(state, 0, a.Take(0), "9D")
    assert known_cards(state, 1) == {0: {"KH"}}
    assert known_cards(state, None) == {}
    assert view_of(state, 0).draw_top == (None,)


def test_R60_a_hand_that_is_open_between_two_choices_only_is_not_seen() -> None:
    state = table(["7S 7H 7D 2S", "3S 4S", "6S"], {1: "10S 2C"}, discards="KD QH")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1), "JD 3C 3D")  # seat 0 has the most Laws until seat 1 has two
    assert known_cards(state, 2) == {1: {"3S", "4S"}}


def test_R60_a_pile_that_is_face_up_between_two_choices_only_is_not_seen() -> None:
    hands = ["7S 7H 7D 2S", "3S 4S 5S"]
    state = table(hands, {1: "9C"}, discards="KD 8D QH", pile="3D", is_rest_removed=True)
    for viewer in range(3):
        state.known_cards[viewer] = 0
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1), "3D 7S")  # and the K♦ is shuffled into the draw pile
    assert set(view_of(state, 1).draw_known) == {"7H", "7D", "9C", "QH"}
    assert view_of(state, 1).discard_piles == (("8D",),)


@pytest.mark.parametrize(("bound", "lookers"), [({}, {0, 1, None}), ({"AS": 1}, {1})])
def test_R35_all_for_whom_AS_is_in_force_see_the_tops(
    bound: dict[str, int], lookers: set[int | None]
) -> None:
    state = table(["2S 3S", "3D 4D"], {0: "9C AS"}, bound=bound, discards="QD", takes=1)
    for place in range(3):
        state.known_cards[place] = 0
    do(state, 0, a.Take(1), "KH")  # laid face down in place of the Q♦
    for viewer in (0, 1, None):
        top = view_of(state, viewer).discard_piles[0][-1]
        assert top == ("KH" if viewer in lookers else None)


def table_of_a_known_pile(rulings: Rulings = RULINGS[2]) -> LawState:
    """The table after all have seen the whole draw pile, and seat 1 alone then sees its top, K♥."""
    bill, laws = "6S 6H 6D", {0: "9S"}
    state = table([bill, "3D 4D"], laws, bound={"9S": 1}, stack="9C", pile="", rulings=rulings)
    state.piles.removed |= state.piles.trash & ~cards("KH QH JC")
    state.piles.trash &= cards("KH QH JC")
    state.progress.takes = 1
    do(state, 0, a.Take(0), "KH")  # the trash is shuffled, then seat 1 sees its top
    return state


@pytest.mark.parametrize("viewer", [0, None])
def test_R60_a_card_that_another_player_sees_on_top_is_known_to_be_in_the_pile(
    viewer: int | None,
) -> None:
    state = table_of_a_known_pile()
    seen = view_of(state, viewer)
    assert [seen.draw_top, set(seen.draw_known)] == [(None,), {"KH", "QH", "JC"}]
    assert view_of(state, 1).draw_top == ("KH",)
    assert set(view_of(state, 1).draw_known) == {"QH", "JC"}
    before = view_of(table_of_a_known_pile(RULINGS[1]), viewer)
    assert [before.draw_top, before.draw_known] == [(None,), ()]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_R60_the_top_that_another_player_sees_is_imagined_as_any_card_of_the_pile(
    viewer: int | None,
) -> None:
    view, rng = view_of(table_of_a_known_pile(), viewer), FastRng(1)
    tops = set()
    for _ in range(40):
        world = ENGINE.imagine(view, rng)
        assert ENGINE.view(world, viewer) == view
        world.determinize(-1 if viewer is None else viewer, rng)
        assert ENGINE.view(world, viewer) == view
        tops |= codes(1 << world.piles.stack[0])
    assert tops == ({"KH"} if viewer == 1 else {"KH", "QH", "JC"})


def test_R60_the_pile_is_unknown_once_its_top_leaves_unseen() -> None:
    state = table_of_a_known_pile()
    do(state, 0, a.Discard("6S", 1))
    do(state, 1, a.Take(0), "QH")
    assert view_of(state, 0).draw_known == view_of(state).draw_known == ()
    assert known_cards(state, 0) == {}
    assert view_of(state, 1).draw_top == ("QH",)


def test_R60_a_player_who_draws_the_top_still_knows_the_rest_of_the_pile() -> None:
    state = table_of_a_known_pile()
    state.progress.takes = 1
    do(state, 0, a.Take(0), "QH")
    assert "KH" in hand(state, 0)
    assert [view_of(state, 0).draw_top, set(view_of(state, 0).draw_known)] == [
        (None,),
        {"QH", "JC"},
    ]
    assert view_of(state).draw_known == ()  # an onlooker has not seen which card was drawn


def test_R60_a_top_that_is_shuffled_in_is_known_to_be_in_the_pile() -> None:
    state = table_of_a_known_pile()
    card_moves.shuffle_in(state, 0)
    advance(state, FastRng(1))
    for viewer in (0, None):
        assert set(view_of(state, viewer).draw_known) == {"KH", "QH", "JC"}


# -- imagined tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_imagined_tables_respect_known_cards(viewer: int | None) -> None:
    state = table_after_pass()
    holders = set()
    for seed in range(60):
        world = ENGINE.imagine(view_of(state, viewer), FastRng(seed))
        assert ENGINE.view(world, viewer) == view_of(state, viewer)
        holders.add("2S" in hand(world, 1))
    assert holders == ({True} if viewer in (0, 1) else {True, False})


def test_a_sealed_choice_is_imagined_independently() -> None:
    state = table(["2S 3S 4S", "2D 3D 4D"], {0: "8D"})
    do(state, 0, a.Attend("swap_left"))
    do(state, 0, a.Choose("2S"))
    chosen = [
        codes(ENGINE.imagine(view_of(state, 1), FastRng(seed)).chosen[0]) for seed in range(40)
    ]
    assert all(len(cards) == 1 for cards in chosen)
    assert len(set().union(*chosen)) > 3
    assert codes(ENGINE.imagine(view_of(state, 0), FastRng(1)).chosen[0]) == {"2S"}


def test_a_Bill_that_is_being_laid_can_be_finished_in_every_world() -> None:
    state = table(["7S 7H 7D 7C 2S", "3D 4D"])
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Lay("7S"))
    for seed in range(40):
        world = ENGINE.imagine(view_of(state, 1), FastRng(seed))
        sevens = hand(world, 0) & {"7H", "7D", "7C"}
        assert len(sevens) >= 2


def test_R60_at_the_end_all_hands_are_open() -> None:
    state = table(["8S 9S 10S JS 2D", "3D 4D"], {1: "4H"})
    do(state, 0, a.StraightFlush("8", "spades"))
    assert known_cards(state, None) == {0: {"2D"}, 1: {"3D", "4D"}}
