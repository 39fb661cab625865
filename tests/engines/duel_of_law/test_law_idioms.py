"""Laws said in idioms and by the values of a line are heard as a clause or refused, since a
misunderstood law is worse than a refused one."""

from __future__ import annotations

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.duel_of_law.laws.clause_codes import clause_fields
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.test_spoken_laws import SAID_LAWS, heard, refused

# Sentences around a wording, each of which says that it is not so of all cards.
DENIALS = (
    *("{} except the first", "{}, but not the last", "almost {}", "{} sometimes", "{} or green"),
    *("half of them: {}", "it is not so that {}", "don't {}", "neither {}", "only the first: {}"),
    *("{} more or less", "{} in the middle", "two or three: {}", "if {}"),
)


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("nothing but hearts", "poker is hearts"),
        ("light blue, nothing else", "colour is light blue"),
        ("no face cards", "face is number"),
        ("nothing with a picture on it", "face is number"),
        ("there aren't any vowels", "vowel is consonant"),
        ("no dark cards", "shade is light"),
        ("it isn't light", "shade is dark"),
        ("the suits climb one at a time", "suit rises_by 1"),
        ("the ranks go up one", "rank rises_by 1"),
        ("each one's bigger than the last", "number rises"),
        ("the numbers rise from right to left by 2", "number falls_by 2"),
        ("go up two at a time", "number rises_by 2"),
        ("the ranks rise or stay the same", "rank never_falls"),
        ("the ranks make a valley", "rank dips"),
        ("each number is half the one before, backwards", "number doubles"),
        ("last digit's odd", "rank is odd"),
        ("both digits the same", "rank is suit"),
        ("the red ones", "colour is red"),
        ("greens, light or dark", "dice is 3"),
        ("every other rank is odd", "rank alternates parity"),
        ("every other letter is a vowel", "vowel alternates"),
        ("the next prime each time", "number consecutive primes"),
        ("the primes one after another, from 2", "number follows primes"),
        ("primes in any order", "number is prime"),
    ],
)
def test_an_idiom_is_understood(sentence: str, clause: str) -> None:
    assert heard(sentence) == clause


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("two-digit numbers", "law-has-no-inequality"),
        ("double digits", "law-has-no-inequality"),
        ("only one is red", "law-unknown"),
        ("one king", "law-unknown"),
        ("one is red", "law-unknown"),
        ("one is red and the rest aren't", "law-unknown"),
        ("cards can be red", "law-unknown"),
        ("one letter is a vowel", "law-unknown"),
        ("up, down, up, down", "law-unknown"),
        ("anything but red", "law-has-no-negation"),
        ("not all dark", "law-has-no-negation"),
        ("no dark green", "law-has-no-negation"),
        ("no odd numbers", "law-has-no-negation"),
        ("never dark, then light", "law-has-no-negation"),
        ("no vowels next to each other", "law-has-no-negation"),
        ("the ranks don't stay the same or go up", "law-has-no-negation"),
        ("every number is the sum of the two before sometimes", "law-unknown"),
        ("both digits are even", "law-unknown"),
        ("the numbers rise from 1", "law-has-two-clauses"),
        ("primes in order from 3", "law-unknown"),
        ("the digits of pi in any order", "law-unknown"),
        ("every other card is a heart", "law-unknown"),
        ("blue or green, light or dark", "law-has-no-or"),
    ],
)
def test_R4_what_only_resembles_a_law_is_refused(sentence: str, code: str) -> None:
    assert refused(sentence).code == code


@pytest.mark.parametrize(
    ("sentence", "cards", "clause"),
    [
        ("red, black, red, black", "01 102 05 10J", "colour alternates"),
        ("red and black poker suits, red, black", "12 03 36 4J", "poker_colour alternates"),
        ("hearts, spades, hearts, spades", "12 05 52 4J", "poker alternates"),
        ("picture, number, picture, number", "0J 52 9K 13", "face alternates"),
        ("3, 8, 3, 8", "33 18 *3 98", "rank alternates"),
        ("8 3 8 3 in the ranks", "33 18 43 98", "rank alternates"),
        ("1 2 3 1 2 3 on the dice", "02 25 48 1J 39 58", "dice cycles 3"),
        ("1, 2, 3, 1, 2", "01 12 23 31 42", "rank cycles 3"),
        ("3 1 4 1 5, like pi", "13 51 34 81 05", "rank follows pi"),
        ("3, 14, 15", "03 14 15", ""),
        ("3, 14, 15: pi", "03 14 15", "number follows pi"),
        ("2, 7, 1, 8", "12 57 31 88", "rank follows euler"),
        ("2, 3, 5, 7, 11", "02 03 05 07 11", "number follows primes"),
    ],
)
def test_a_law_may_be_said_by_the_values_of_its_line(
    sentence: str, cards: str, clause: str
) -> None:
    if clause:
        assert heard(sentence, cards) == clause
    else:
        assert refused(sentence, cards).code == "law-is-a-list"


@pytest.mark.parametrize(
    ("sentence", "cards"),
    [
        ("red, black, red, black", "12 35 18 39"),
        ("3, 8, 3, 8", "34 19 44 99"),
        ("hearts, spades, hearts, spades", "32 25 35 6J"),
        ("3, 8, 3", "33 18 43"),
        ("1, 2, 1, 2, 1, 3", "01 12 31 42 61 73"),
        ("3 1 5, like pi", "13 51 34"),
        ("2, 3, 5, 7 in any order", "02 03 05 07"),
        ("2, 3, 5, 8", "02 03 05 08"),
    ],
)
def test_R4_values_that_a_line_does_not_show_or_no_clause_repeats_are_a_list(
    sentence: str, cards: str
) -> None:
    assert refused(sentence, cards).code == "law-is-a-list"


@pytest.mark.parametrize(
    "sentence",
    [
        *("no red", "not every card is dark", "none of them is prime", "all but hearts"),
        *("different letters", "ranks below 5", "only one is red", "avoid vowels", "no kings"),
    ],
)
def test_a_hint_never_suggests_the_opposite(sentence: str) -> None:
    assert "Did you mean" not in refused(sentence).sentence


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("denial", DENIALS)
def test_a_wording_that_is_denied_is_not_heard_as_its_clause(denial: str) -> None:
    for law in SAID_LAWS:
        try:
            clause = heard(denial.format(law["said"]), law["line"])
        except IllegalAction:
            continue
        assert law["clause"] is not None, (denial, law)
        assert clause_fields(parse_clause(clause)) != law["clause"], (denial, law)
