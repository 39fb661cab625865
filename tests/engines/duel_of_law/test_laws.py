"""The printed rules' examples of laws, and their answers to frequent questions."""

from __future__ import annotations

import pytest

from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws import number_sets
from tabularium_engines.duel_of_law.laws.joker_solver import holds, settle_jokers
from tabularium_engines.duel_of_law.laws.possible_joker_values import (
    FRESH_JOKERS,
    naming_clauses,
    remaining_values,
    with_remaining_values,
)
from tests.engines.duel_of_law.law_parser import clause_to_text
from tests.engines.duel_of_law.lines import WILDS, is_claimable, is_lawful, law, line, word_cards

PRINTED = [
    ("01 52 93 14", "rank rises_by 1 & rank starts 1"),
    ("01 32 83", "rank rises & rank starts 1"),
    ("02 04 06 08", "colour is red & rank is even"),
    ("67 02 23 17", "number is prime"),
    ("03 14 15 92", "number follows pi"),
    ("63 21 54 101 35", "rank follows pi"),
    ("10 60 30 00", "shade alternates"),
    ("11 32 73 94", "poker_colour is red"),
    (word_cards("insect"), "letter word"),
    ("00 22 44 66 88 107 09 21 45", "dice rises_by 1"),
    (word_cards("nonono"), "letter alternates"),
    (word_cards("then"), "letter word"),
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
    assert is_lawful(codes, text)


def test_a_law_is_narrowed_one_clause_at_a_time() -> None:
    assert is_claimable("30 34 38", "colour is yellow")
    assert is_claimable("30 34 38", "rank is even", "colour is yellow")
    assert is_claimable("81 83 87", "number rises", "rank is odd")
    assert is_claimable("81 83 87", "colour is dark purple", "rank is odd")


# -- frequently asked questions -------------------------------------------------------------------


def test_R13_a_longer_word_narrows_nothing_but_a_palindrome_does() -> None:
    assert is_lawful(word_cards("dry"), "letter word")
    assert is_lawful(word_cards("laundry"), "letter word")
    assert not is_claimable(word_cards("laundry"), "letter word", "letter word")
    assert is_claimable("37 35 39", "rank is odd") is True
    level_cards = word_cards("level")
    assert is_claimable(level_cards, "letter palindrome", "letter word")  # a palindromic word
    assert not is_claimable(word_cards("laundry"), "letter palindrome", "letter word")


def test_poker_colours_are_laws_and_imply_shades() -> None:
    assert is_claimable("00 24 4J", "poker_colour is black")
    assert not is_claimable("00 24 4J", "poker_colour is black", "shade is dark")


def test_R15_steps_are_cyclic() -> None:
    assert is_lawful("40 60 80 110 00 21 41", "dice rises_by 1")  # 3 4 5 6 1 2 3
    assert is_lawful("49 60 81 102 03 24", "rank rises_by 1")
    assert is_lawful("117 118 119 00 01", "number rises_by 1")
    assert is_lawful("110 00 10", "suit rises_by 1")
    assert is_lawful(f"11K {word_cards('abc')}", "letter rises_by 1")
    assert not is_lawful("00 21 41 61 00", "dice rises_by 1")


def test_R16_rising_values_wrap_only_from_the_greatest() -> None:
    assert is_lawful("00 20 60 80 100 01 21", "dice rises")  # 1 2 4 5 6 1 2
    assert not is_lawful("00 20 60 80 01 21", "dice rises")  # 1 2 4 5 1 2
    assert is_lawful("117 119 30 44", "number rises")
    assert not is_lawful("117 118 30 44", "number rises")
    assert is_lawful("100 40 60", "dice rises")  # the cycle need not begin again at 1


def test_R16_the_law_determines_the_greatest_value() -> None:
    assert is_lawful("05 08 01", "number rises & colour is red & rank is even") is False
    assert is_lawful("04 08 02", "number rises & rank is even & colour is red")
    assert is_lawful("03 09 01", "number rises & colour is red")
    assert not is_lawful("03 09 01", "number rises")
    assert is_lawful("17 39 53", "rank rises & rank is odd")
    assert not is_lawful("14 38 52", "rank rises")
    assert is_lawful("14 38 52", "rank rises & rank is even")


def test_R17_falling_values_wrap_only_from_the_least() -> None:
    assert is_lawful("60 40 00 100 80", "dice falls")
    assert not is_lawful("60 40 20 100 80", "dice falls")
    assert is_lawful("15 11 39 27", "rank falls & rank is odd")
    assert not is_lawful("15 11 39 27", "rank falls")


def test_R18_cards_may_be_added_in_front() -> None:
    assert is_lawful("20 40 60", "dice rises_by 1")
    assert is_lawful("100 00 20 40 60", "dice rises_by 1")


def test_R19_a_line_with_a_start_or_a_sequence_begins_with_it() -> None:
    assert is_lawful("31 42 53", "rank rises_by 1 & rank starts 1")
    assert not is_lawful("20 31 42 53", "rank rises_by 1 & rank starts 1")
    assert is_lawful("31 42 53 64", "rank rises_by 1 & rank starts 1")
    assert is_lawful("53 42 31", "rank falls_by 1 & rank starts 1 backward")
    assert not is_claimable("31 42 53", "rank starts 1")
    assert is_claimable("31 42 53", "rank starts 1", "rank rises_by 1")
    assert not is_claimable("31 42 53", "rank starts 1", "dice rises")
    assert not is_claimable("31 42 53", "rank starts 1", "rank falls backward")
    assert is_claimable("31 42 53", "rank starts 3 backward", "rank falls backward")
    assert not is_lawful("14 15 92", "number follows pi")
    assert is_lawful("15 14 03", "number follows pi backward")


def test_R19_a_line_grows_before_its_start_by_whole_rounds() -> None:
    law = "dice rises_by 1 & dice starts 3"
    assert is_lawful("40 60 80", law)
    assert not is_lawful("20 40 60 80", law)
    assert is_lawful("41 61 81 100 00 20 40 60 80", law)
    assert is_lawful("02 13 25 37 42 53", "rank follows primes")
    assert not is_lawful("37 42 53", "rank follows primes")


def test_R19_sequences_restart_after_the_greatest_number() -> None:
    assert is_lawful("02 13 25 37 42 53", "rank follows primes")
    assert is_lawful("01 34 69 81 94", "rank follows squares")
    assert is_lawful("01 02 04 08 16 32 64 01", "number follows powers of 2")
    assert not is_lawful("02 04 08", "number follows powers of 2")


def test_R41_the_start_of_sequences_and_the_properties_of_zero() -> None:
    assert is_lawful("01 11 22 33 45", "rank follows fibonacci numbers")
    assert is_lawful("01 04 09 16", "number follows squares")
    for value in ("even", "square", "triangular", "fibonacci", "multiple of 7"):
        assert is_lawful("00 10 20", f"rank is {value}")
    assert not is_lawful("00 10 20", "rank is power of 2")
    assert not is_lawful(word_cards("yyy"), "vowel is vowel")


def test_R41_no_sequence_starts_higher_than_is_tried() -> None:
    sequences = range(int(codes.FIRST_SEQUENCE), int(codes.NO_VALUE))
    for feature in (codes.RANK, codes.NUMBER):
        starts = [number_sets.sequence_member(which, feature, 0) for which in sequences]
        assert max(starts) == number_sets.HIGHEST_START


def test_R14_a_word_has_one_direction() -> None:
    assert is_lawful(" ".join(reversed(word_cards("thin").split())), "letter word backward")
    assert not is_lawful(word_cards("thin"), "letter word backward")
    assert not is_lawful(" ".join(reversed(word_cards("thin").split())), "letter word")
    assert is_lawful("05 04 03", "number rises backward")
    assert not is_lawful("05 04 03", "number rises")


def test_R42_alternation_needs_two_different_values() -> None:
    assert is_lawful("00 13 01", "suit alternates parity")
    assert is_lawful("03 17 23 57", "rank alternates")
    assert not is_lawful("03 13 23", "rank alternates")
    assert not is_lawful("03 17 23 58", "rank alternates")


# -- jokers ---------------------------------------------------------------------------------------


def certain_clause_texts(joker: int, wilds: object) -> set[str]:
    """The clauses that are certain of a joker."""
    certain = naming_clauses(wilds, 156 + joker, is_certain=True)  # type: ignore[arg-type]
    return {clause_to_text(clause) for clause in certain}


def test_a_joker_is_wild_except_for_its_printed_features() -> None:
    assert is_lawful("00 01 *1", "colour is red & poker is clubs") is False
    assert is_lawful("02 *1 06", "colour is red & rank is even")
    assert is_lawful("*1 *1 *1", "colour is red & poker is clubs")  # no such card exists
    assert not is_lawful("33 *1 21", "dice is 2")
    assert not is_lawful("*2 10 30", "shade is dark")


def test_R44_a_law_leaves_a_joker_its_possible_values() -> None:
    wilds = settle_jokers(line("07 *3 19"), law("rank is odd"), WILDS)
    assert remaining_values(wilds, 158)["rank"] == ["1", "3", "5", "7", "9"]
    assert certain_clause_texts(2, wilds) == {"dice is 3", "shade is light"}
    assert not holds(line("07 *3 19"), law("rank is odd & rank rises_by 1"), WILDS)
    assert "rank is 8" in certain_clause_texts(
        2, settle_jokers(line("07 *3 19"), law("rank rises_by 1"), WILDS)
    )


def test_R44_of_several_values_a_joker_gets_the_lowest() -> None:
    assert "number is 4" in certain_clause_texts(
        0, settle_jokers(line("03 *1 55"), law("number rises"), WILDS)
    )
    assert "letter is E" in certain_clause_texts(
        0, settle_jokers(line("94 *1 29"), law("letter word"), WILDS)
    )
    wilds = settle_jokers(line("13 *1 1J"), law("vowel is consonant"), WILDS)
    assert "letter is E" not in certain_clause_texts(0, wilds)
    assert "letter is H" in certain_clause_texts(
        0, settle_jokers(line("94 *1 29"), law("letter word"), wilds)
    )


def test_the_values_of_a_joker_hold_in_both_lines_permanently() -> None:
    wilds_after_red = settle_jokers(line("02 *1 06"), law("colour is red"), WILDS)
    assert not is_lawful("13 *1 15", "colour is pink", wilds_after_red)
    assert is_lawful("13 *1 15", "poker is hearts", wilds_after_red)
    wilds_after_hearts = settle_jokers(line("13 *1 15"), law("poker is hearts"), wilds_after_red)
    assert certain_clause_texts(0, wilds_after_hearts) == {
        "dice is 1",
        "shade is dark",
        "colour is red",
        "poker is hearts",
    }


@pytest.mark.parametrize(
    ("codes", "text", "further"),
    [
        (
            "*1 69 *6 24 *5 18 *4 *2 *3",
            "number alternates multiple of 3 & number falls",
            "number starts 0 backward",
        ),
        ("*3 *6 *5 *4 *2 *1 94", "number palindrome", "number starts 60 backward"),
        ("*3 *6 *5 *4 *2 *1", "number palindrome", "number rises"),
        ("*3 *6 *5 *4 *2 95 *1", "vowel palindrome", "letter starts I backward & letter is B"),
        ("*3 *6 *5 *4 *2 95 *1", "letter cycles 5", "letter starts R backward & letter is B"),
    ],
)
def test_six_jokers_are_soon_given_up_on(codes: str, text: str, further: str) -> None:
    """Few of some 10^9 combinations of values are tried; a search of all would not end."""
    assert is_lawful(codes, text)
    assert not is_lawful(codes, f"{text} & {further}")


def test_R27_the_letter_value_of_a_joker_is_independent_of_its_letter() -> None:
    wilds = settle_jokers(line("00 *1 01"), law("letter is A"), WILDS)
    assert "letter is A" in certain_clause_texts(0, wilds)
    assert is_lawful("117 *1 118", "letter_value is 4", wilds)  # V, joker, W; and no A is worth 4
    assert is_lawful("112 113 *1", "letter_value is 1", wilds)


def test_the_values_of_jokers_survive_a_round_trip() -> None:
    wilds = settle_jokers(line("02 *1 *2"), law("colour is red & number is even"), WILDS)
    wilds = settle_jokers(line("94 *5 29"), law("letter word"), wilds)
    restored_wilds = FRESH_JOKERS
    for joker in range(156, 162):
        restored_wilds = with_remaining_values(
            restored_wilds, joker, remaining_values(wilds, joker)
        )
    assert restored_wilds == wilds
    assert remaining_values(FRESH_JOKERS, 157) == {"shade": ["light"], "dice": ["2"]}
