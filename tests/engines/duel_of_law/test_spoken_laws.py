"""Spoken laws: sentences that are understood as a clause, and those that are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.duel_of_law.laws.claimable_clauses import can_claim
from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE
from tabularium_engines.duel_of_law.laws.clause_codes import clause_fields, clause_of_fields
from tabularium_engines.duel_of_law.laws.clause_text import clause_sentence
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, SECOND_LANGUAGE
from tabularium_engines.duel_of_law.laws.spoken_law_text import MAX_LENGTH, clause_said, short_text
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import WILDS, line

CLAUSES = tuple(int(clause) for clause in CATALOGUE)
SAID_LAWS = json.loads(Path(__file__).with_name("said_laws.json").read_text(encoding="utf-8"))
NO_LAW = line("")


def heard(sentence: str, cards: str = "") -> str:
    """The clause that a sentence says, as short text; with cards, of a new branch."""
    may_claim = (lambda clause: may_be_claimed(cards, clause)) if cards else None
    return short_text(clause_said(sentence, CLAUSES, may_claim, line(cards)))


def may_be_claimed(cards: str, clause: int) -> bool:
    """Whether a clause may be claimed of a new branch, in one of the versions."""
    languages = (FIRST_LANGUAGE, SECOND_LANGUAGE)
    return any(can_claim(line(cards), NO_LAW, clause, WILDS, language) for language in languages)


def refused(sentence: str, cards: str = "") -> IllegalAction:
    """The refusal of a sentence."""
    with pytest.raises(IllegalAction) as caught:
        heard(sentence, cards)
    assert caught.value.pointer == "/law"
    return caught.value


def answer(law: dict[str, Any]) -> dict[str, str] | None:
    """The clause that is understood, as in the file of wordings; None if the wording is refused."""
    try:
        return clause_fields(parse_clause(heard(law["said"], law["line"])))
    except IllegalAction:
        return None


def test_every_clause_is_understood_by_its_sentence_and_its_short_text() -> None:
    for clause in CLAUSES:
        assert clause_said(clause_sentence(clause), CLAUSES, None) == clause
        assert clause_said(clause_sentence(clause).upper(), CLAUSES, None) == clause
        assert clause_said(short_text(clause), CLAUSES, None) == clause


def test_a_sentence_of_the_game_means_its_clause_whatever_the_line() -> None:
    for clause in CLAUSES:
        assert clause_said(clause_sentence(clause), CLAUSES, lambda _: True) == clause
        assert clause_said(clause_sentence(clause), CLAUSES, lambda _: False) == clause


def test_the_file_has_distinct_wordings_whose_clauses_hold_on_their_lines() -> None:
    assert len({law["said"].lower() for law in SAID_LAWS}) == 294
    for law in SAID_LAWS:
        if law["clause"] is not None and law["clause"]["pattern"] != "starts":
            clause = clause_of_fields(**law["clause"])
            assert may_be_claimed(law["line"], clause), law


def test_most_wordings_are_understood_and_none_is_misunderstood() -> None:
    answers = [(law["clause"], answer(law)) for law in SAID_LAWS]
    assert sum(meant == understood for meant, understood in answers) >= 280
    assert all(understood in (meant, None) for meant, understood in answers)


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("all the colors are GRAY", "colour is gray"),
        ("Grey.", "colour is gray"),
        ("the suit is always dark", "shade is dark"),
        ("suit 3", "colour is yellow"),
        ("black poker suits", "poker_colour is black"),
        ("only hearts", "poker is hearts"),
        ("every letter is a", "letter is A"),
        ("every letter is a vowel", "vowel is vowel"),
        ("letters start with i, backwards", "letter starts I backward"),
        ("kings only", "rank is K"),
        ("every rank is a prime number", "rank is prime"),
        ("the ranks are divisible by three", "rank is multiple of 3"),
        ("multiples of two on the dice", "dice is even"),
        ("ten points each", "letter_value is 10"),
        ("the ranks drop by one each time", "rank falls_by 1"),
        ("ranks fall by 3, read from right to left", "rank rises_by 3"),
        ("the letters are in alphabetical order", "letter rises"),
        ("each dice suit is 1 higher than the one before", "dice rises_by 1"),
        ("odd, even, odd, even", "number alternates parity"),
        ("face cards and number cards take turns", "face alternates"),
        ("the ranks are a palindrome", "rank palindrome"),
        ("Fibonacci sequence in the ranks", "rank follows fibonacci numbers"),
        ("it's a word, from bottom to top", "letter word backward"),
        ("the ranks never go down", "rank never_falls"),
        ("the ranks do not rise", "rank never_rises"),
        ("the numbers never rise", "number falls"),
        ("three colours take turns", "colour cycles 3"),
        ("four poker suits in turn", "poker cycles 4"),
        ("ranks in pairs", "rank pairs"),
        ("every letter twice", "letter pairs"),
        ("the rank is the same as the letter value", "rank is letter_value"),
        ("the dice suit equals the suit number", "suit is dice"),
        ("adjacent ranks sum to 10", "rank adds_to 10"),
        ("the numbers go up and then down", "number peaks"),
        ("the ranks fall, then rise", "rank dips"),
        ("primes and other ranks alternate", "rank alternates prime"),
        ("each number is double the previous one", "number doubles"),
        ("ranks doubling each time, from right to left", "rank doubles backward"),
        ("every rank is the sum of the previous two", "rank sum_of_two"),
        ("the numbers are consecutive primes", "number consecutive primes"),
        ("consecutive squares in the ranks, backwards", "rank consecutive squares backward"),
        ("every number is divisible by seventeen", "number is multiple of 17"),
        ("composite ranks", "rank is composite"),
    ],
)
def test_a_sentence_is_understood(sentence: str, clause: str) -> None:
    assert heard(sentence) == clause


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("every card is green", "dice is 3"),
        ("only blues", "dice is 4"),
        ("the suit colour is purple", "dice is 5"),
        ("light purple", "colour is light purple"),
    ],
)
def test_R49_a_hue_without_a_shade_is_a_dice_suit(sentence: str, clause: str) -> None:
    assert heard(sentence) == clause


@pytest.mark.parametrize(
    ("sentence", "cards", "clause"),
    [
        ("primes", "67 02 23 17", "number is prime"),
        ("primes", "12 62 45", "rank is prime"),
        ("primes", "60 10 43", "number is prime"),  # of what is not so, too: it is then refused
        ("the digits of pi", "03 14 15", "number follows pi"),
        ("the digits of pi", "03 11 24", "rank follows pi"),
        ("all the same colour", "40 4J 47", "colour is dark green"),
        ("all the same suit", "15 53 98", "poker is hearts"),
        ("red suits", "03 07 0J", "colour is red"),
        ("red suits", "13 57 3J", "poker_colour is red"),
        ("all threes", "03 43 93", "rank is 3"),
    ],
)
def test_the_line_decides_among_the_meanings(sentence: str, cards: str, clause: str) -> None:
    assert heard(sentence, cards) == clause


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("numbers 17, 23, 81 and 57", "law-is-a-list"),
        ("the letters spell thin", "law-is-a-list"),
        ("red and pink cards", "law-is-a-list"),
        ("red and black in turn", "law-is-a-list"),
        ("the poker suit is hearts or spades", "law-has-no-or"),
        ("either hearts", "law-has-no-or"),
        ("the letter is not A", "law-has-no-negation"),
        ("no letter is A", "law-has-no-negation"),
        ("the letters aren't A", "law-has-no-negation"),
        ("rank != 3", "law-has-no-negation"),
        ("number > 1", "law-has-no-inequality"),
        ("the number is greater than 1", "law-has-no-inequality"),
        ("every rank is at least 3", "law-has-no-inequality"),
        ("the colours are all different", "law-has-no-difference"),
        ("every player is red", "law-is-outside-the-cards"),
        ("even and yellow", "law-has-two-clauses"),
        ("red even numbers", "law-has-two-clauses"),
        ("the ranks and the numbers rise", "law-unknown"),
        ("from Superman's cape", "law-unknown"),
        ("the numbers rise by 70", "law-unknown"),
        ("the letters are even", "law-unknown"),
        ("every card", "law-unknown"),
        ("", "law-unknown"),
        ("red " * MAX_LENGTH, "law-too-long"),
    ],
)
def test_R4_another_sentence_is_refused_with_the_reason(sentence: str, code: str) -> None:
    assert refused(sentence).code == code


def test_several_meanings_that_hold_are_asked_for() -> None:
    refusal = refused("cycling dice suits", "03 21 44 60")
    choices = "“the dice suits rise” or “the dice suits rise by 1”"
    assert refusal.code == "law-ambiguous"
    assert refusal.sentence == f"That can mean several things. Did you mean {choices}?"
    assert refused("the digits of pi", "60 10 43").code == "law-ambiguous"


@pytest.mark.parametrize(
    ("sentence", "suggested"),
    [
        ("the numbers rize", ["the numbers rise"]),
        ("the ranks are a palimdrome", ["the ranks read the same from both ends"]),
        ("not red", []),
        ("no kings", []),
        ("all but hearts", []),
        ("ranks below 5", []),
        ("different letters", []),
        ("red even numbers", ["every card is red", "every number is even"]),
        ("the letters wiggle", ["every letter is a vowel"]),
    ],
)
def test_the_nearest_clauses_are_suggested(sentence: str, suggested: list[str]) -> None:
    told = re.findall("“([^”]*)”", refused(sentence).sentence.partition("Did you mean")[2])
    assert told[: len(suggested) or None] == suggested


def test_only_clauses_of_the_catalogue_are_understood_and_suggested() -> None:
    catalogue = tuple(clause for clause in CLAUSES if "prime" not in short_text(clause))
    with pytest.raises(IllegalAction) as caught:
        clause_said("every rank is prime", catalogue, None)
    assert caught.value.code == "law-unknown"
    assert "prime" not in caught.value.sentence
    assert clause_said("every rank is odd", catalogue, None) == parse_clause("rank is odd")


def test_any_text_is_a_clause_or_refused() -> None:
    random = Random(4)
    words = " ".join(law["said"] for law in SAID_LAWS).split()
    signs = "aZ0 9,;|<>_-'’π𝐀İ\u0000\n²"
    for _ in range(500):
        mixed = [random.choice(words) for _ in range(random.randrange(9))]
        junk = "".join(random.choice(signs) for _ in range(random.randrange(9)))
        assert is_clause_or_refusal(" ".join([*mixed, junk]))


def is_clause_or_refusal(sentence: str) -> bool:
    """Whether a text is a clause, or refused with a code and a sentence."""
    try:
        return clause_said(sentence, CLAUSES, None) in CLAUSES
    except IllegalAction as refusal:
        is_coded = re.fullmatch("law(-[a-z]+)+", refusal.code)
        return bool(is_coded and re.fullmatch(r"[^\n]*[.?]", refusal.sentence))
