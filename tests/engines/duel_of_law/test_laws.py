"""The printed rules' examples of laws, and their answers to frequent questions."""

from __future__ import annotations

import pytest

from games.engines.duel_of_law.language.clause_text import clause_to_text
from games.engines.duel_of_law.language.joker_values import (
    certain_clauses,
    fresh_jokers,
    remaining_values,
    with_remaining_values,
)
from games.engines.duel_of_law.language.law_evaluation import holds, settle_jokers
from tests.engines.duel_of_law.lines import WILDS, follows, is_claimable, law, line, spelt

PRINTED = [
    ("01 52 93 14", "rank rises_by 1 & rank starts 1"),
    ("01 32 83", "rank rises & rank starts 1"),
    ("02 04 06 08", "colour is red & rank is even"),
    ("67 02 23 17", "number is prime"),
    ("03 14 15 92", "number follows pi"),
    ("63 21 54 101 35", "rank follows pi"),
    ("10 60 30 00", "shade alternates"),
    ("11 32 73 94", "poker_colour is red"),
    (spelt("insect"), "letter word"),
    ("00 22 44 66 88 107 09 21 45", "dice rises_by 1"),
    (spelt("nonono"), "letter alternates"),
    (spelt("then"), "letter word"),
    ("33 *2 21", "dice is 2"),
    ("04 85 4Q", "poker is spades"),
    ("2J 4J 0J", "rank is J"),
    ("20 35 3J", "dice is 2"),
    ("00 24 48", "shade is dark & vowel is vowel & number rises"),
    ("05 37 91", "rank is odd & number rises"),
    ("81 83 87", "rank is odd & colour is dark purple"),
    ("30 34 38", "colour is yellow & rank is even"),
]


@pytest.mark.parametrize(("codes", "text"), PRINTED)
def test_the_printed_laws_hold_on_their_cards(codes: str, text: str) -> None:
    assert follows(codes, text)


def test_a_law_is_narrowed_one_clause_at_a_time() -> None:
    assert is_claimable("30 34 38", "colour is yellow")
    assert is_claimable("30 34 38", "rank is even", "colour is yellow")
    assert is_claimable("81 83 87", "number rises", "rank is odd")
    assert is_claimable("81 83 87", "colour is dark purple", "rank is odd")


# -- frequently asked questions -------------------------------------------------------------------


def test_R13_a_longer_word_narrows_nothing_but_an_odd_one_does() -> None:
    assert follows(spelt("dry"), "letter word")
    assert follows(spelt("laundry"), "letter word")
    assert not is_claimable(spelt("laundry"), "letter word", "letter word")
    assert is_claimable("37 35 39", "rank is odd") is True
    level = spelt("level")
    assert is_claimable(level, "letter palindrome", "letter word")  # a palindromic word
    assert not is_claimable(spelt("laundry"), "letter palindrome", "letter word")


def test_poker_colours_are_laws_and_shades_of_them_nothing_new() -> None:
    assert is_claimable("00 24 4J", "poker_colour is black")
    assert not is_claimable("00 24 4J", "poker_colour is black", "shade is dark")


def test_R15_steps_go_round() -> None:
    assert follows("40 60 80 110 00 21 41", "dice rises_by 1")  # 3 4 5 6 1 2 3
    assert follows("49 60 81 102 03 24", "rank rises_by 1")
    assert follows("117 118 119 00 01", "number rises_by 1")
    assert follows("110 00 10", "suit rises_by 1")
    assert follows(f"11K {spelt('abc')}", "letter rises_by 1")
    assert not follows("00 21 41 61 00", "dice rises_by 1")


def test_R16_what_rises_with_gaps_goes_round_only_from_the_greatest() -> None:
    assert follows("00 20 60 80 100 01 21", "dice rises")  # 1 2 4 5 6 1 2
    assert not follows("00 20 60 80 01 21", "dice rises")  # 1 2 4 5 1 2
    assert follows("117 119 30 44", "number rises")
    assert not follows("117 118 30 44", "number rises")
    assert follows("100 40 60", "dice rises")  # the cycle need not begin again at 1


def test_R16_how_far_values_reach_the_law_says() -> None:
    assert follows("05 08 01", "number rises & colour is red & rank is even") is False
    assert follows("04 08 02", "number rises & rank is even & colour is red")
    assert follows("03 09 01", "number rises & colour is red")
    assert not follows("03 09 01", "number rises")
    assert follows("17 39 53", "rank rises & rank is odd")
    assert not follows("14 38 52", "rank rises")
    assert follows("14 38 52", "rank rises & rank is even")


def test_R17_what_falls_goes_round_only_from_the_least() -> None:
    assert follows("60 40 00 100 80", "dice falls")
    assert not follows("60 40 20 100 80", "dice falls")
    assert follows("15 11 39 27", "rank falls & rank is odd")
    assert not follows("15 11 39 27", "rank falls")


def test_R18_cards_may_be_added_in_front() -> None:
    assert follows("20 40 60", "dice rises_by 1")
    assert follows("100 00 20 40 60", "dice rises_by 1")


def test_R19_starts_and_sequences_grow_at_the_far_end_only() -> None:
    assert follows("31 42 53", "rank rises_by 1 & rank starts 1")
    assert not follows("20 31 42 53", "rank rises_by 1 & rank starts 1")
    assert follows("31 42 53 64", "rank rises_by 1 & rank starts 1")
    assert follows("53 42 31", "rank falls_by 1 & rank starts 1 backward")
    assert not is_claimable("31 42 53", "rank starts 1")
    assert is_claimable("31 42 53", "rank starts 1", "rank rises_by 1")
    assert not is_claimable("31 42 53", "rank starts 1", "dice rises")
    assert not is_claimable("31 42 53", "rank starts 1", "rank falls backward")
    assert is_claimable("31 42 53", "rank starts 3 backward", "rank falls backward")
    assert not follows("14 15 92", "number follows pi")
    assert follows("15 14 03", "number follows pi backward")


def test_R19_numbers_begin_again_after_the_last_that_there_is() -> None:
    assert follows("02 13 25 37 42 53", "rank follows primes")
    assert follows("01 34 69 81 94", "rank follows squares")
    assert follows("01 02 04 08 16 32 64 01", "number follows powers of 2")
    assert not follows("02 04 08", "number follows powers of 2")


def test_R41_where_sequences_begin_and_what_zero_is() -> None:
    assert follows("01 11 22 33 45", "rank follows fibonacci numbers")
    assert follows("01 04 09 16", "number follows squares")
    for said in ("even", "square", "triangular", "fibonacci", "multiple of 7"):
        assert follows("00 10 20", f"rank is {said}")
    assert not follows("00 10 20", "rank is power of 2")
    assert not follows(spelt("yyy"), "vowel is vowel")


def test_R14_a_word_may_be_read_backward_and_stays_so() -> None:
    assert follows(" ".join(reversed(spelt("thin").split())), "letter word backward")
    assert not follows(spelt("thin"), "letter word backward")
    assert not follows(" ".join(reversed(spelt("thin").split())), "letter word")
    assert follows("05 04 03", "number rises backward")
    assert not follows("05 04 03", "number rises")


def test_R42_what_alternates_are_two_values_that_differ() -> None:
    assert follows("00 13 01", "suit alternates parity")
    assert follows("03 17 23 57", "rank alternates")
    assert not follows("03 13 23", "rank alternates")
    assert not follows("03 17 23 58", "rank alternates")


# -- jokers ---------------------------------------------------------------------------------------


def said_of(joker: int, wilds: object) -> set[str]:
    """The clauses that are certain of a joker."""
    return {clause_to_text(clause) for clause in certain_clauses(wilds, 156 + joker)}  # type: ignore[arg-type]


def test_a_joker_is_wild_but_for_what_is_printed() -> None:
    assert follows("00 01 *1", "colour is red & poker is clubs") is False
    assert follows("02 *1 06", "colour is red & rank is even")
    assert follows("*1 *1 *1", "colour is red & poker is clubs")  # no such card exists
    assert not follows("33 *1 21", "dice is 2")
    assert not follows("*2 10 30", "shade is dark")


def test_R44_a_law_leaves_a_joker_what_it_can_be() -> None:
    odd = settle_jokers(line("07 *3 19"), law("rank is odd"), WILDS)
    assert remaining_values(odd, 158)["rank"] == ["1", "3", "5", "7", "9"]
    assert said_of(2, odd) == {"dice is 3", "shade is light"}
    assert not holds(line("07 *3 19"), law("rank is odd & rank rises_by 1"), WILDS)
    assert "rank is 8" in said_of(2, settle_jokers(line("07 *3 19"), law("rank rises_by 1"), WILDS))


def test_R44_of_several_values_a_joker_gets_the_lowest() -> None:
    assert "number is 4" in said_of(0, settle_jokers(line("03 *1 55"), law("number rises"), WILDS))
    assert "letter is E" in said_of(0, settle_jokers(line("94 *1 29"), law("letter word"), WILDS))
    consonant = settle_jokers(line("13 *1 1J"), law("vowel is consonant"), WILDS)
    assert "letter is E" not in said_of(0, consonant)
    assert "letter is H" in said_of(
        0, settle_jokers(line("94 *1 29"), law("letter word"), consonant)
    )


def test_what_a_joker_has_become_it_is_in_both_lines_and_for_good() -> None:
    red = settle_jokers(line("02 *1 06"), law("colour is red"), WILDS)
    assert not follows("13 *1 15", "colour is pink", red)
    assert follows("13 *1 15", "poker is hearts", red)
    later = settle_jokers(line("13 *1 15"), law("poker is hearts"), red)
    assert said_of(0, later) == {"dice is 1", "shade is dark", "colour is red", "poker is hearts"}


def test_R27_the_letter_value_of_a_joker_is_open_whatever_its_letter_is() -> None:
    wilds = settle_jokers(line("00 *1 01"), law("letter is A"), WILDS)
    assert "letter is A" in said_of(0, wilds)
    assert follows("117 *1 118", "letter_value is 4", wilds)  # V, joker, W; and no A is worth 4
    assert follows("112 113 *1", "letter_value is 1", wilds)


def test_what_jokers_are_is_shown_and_read_back() -> None:
    wilds = settle_jokers(line("02 *1 *2"), law("colour is red & number is even"), WILDS)
    wilds = settle_jokers(line("94 *5 29"), law("letter word"), wilds)
    again = fresh_jokers()
    for joker in range(156, 162):
        again = with_remaining_values(again, joker, remaining_values(wilds, joker))
    assert again == wilds
    assert remaining_values(fresh_jokers(), 157) == {"shade": ["light"], "dice": ["2"]}
