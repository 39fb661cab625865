"""Implication in version 1: clauses that narrow a law, and clauses that follow from it."""

from __future__ import annotations

import pytest

from tabularium_engines.duel_of_law.laws.clause_implication import is_implied
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import is_claimable, law

IMPLIED = [
    ("shade is dark", "poker_colour is black"),
    ("poker_colour is black", "shade is dark"),
    ("colour is red", "dice is 1"),
    ("colour is red", "poker is spades"),
    ("dice is 1 & shade is dark", "colour is red"),
    ("letter is E", "vowel is vowel"),
    ("letter is E", "letter_value is 1"),
    ("rank is even", "number is even"),
    ("number is even", "face is number"),
    ("rank is J", "face is face"),
    ("number is multiple of 6", "number is even"),
    ("number is multiple of 3 & rank is even", "number is multiple of 6"),
    ("number is multiple of 10", "rank is 0"),
    ("colour is red", "colour palindrome"),
    ("colour palindrome", "shade palindrome"),
    ("colour palindrome", "dice palindrome"),
    ("number palindrome", "colour palindrome"),
    ("number rises_by 1", "rank rises_by 1"),
    ("number rises_by 10", "suit rises_by 1"),
    ("number rises_by 1", "rank alternates parity"),
    ("suit rises_by 1", "shade alternates"),
    ("rank rises_by 1", "number alternates parity"),
    ("shade alternates", "suit alternates parity"),
    ("letter word & letter palindrome", "letter word backward"),
    ("number follows primes", "number is prime"),
    ("number follows squares", "number is square"),
    ("rank rises_by 2 & rank starts 1", "rank is odd"),
    ("dice rises_by 2 & dice starts 6", "dice is even"),
    ("letter alternates", "vowel palindrome"),
    ("dice rises_by 1", "dice rises_by 1"),
]
NARROWING = [
    ("colour is yellow", "rank is even"),
    ("rank is odd", "number rises"),
    ("rank is odd", "colour is dark purple"),
    ("letter word", "rank is odd"),
    ("letter word", "letter palindrome"),
    ("letter word", "letter word backward"),
    ("number rises", "suit rises"),
    ("number rises", "number falls backward"),
    ("suit rises_by 1", "number rises"),
    ("rank rises_by 1", "number rises_by 1"),
    ("rank rises_by 2", "rank is odd"),
    ("shade palindrome", "colour palindrome"),
    ("number is prime", "number is odd"),
    ("rank is prime", "rank is odd"),
    ("vowel is vowel", "letter is E"),
    ("rank follows pi", "rank is triangular"),
    ("rank follows pi", "colour is red"),
    ("rank rises & rank is odd", "rank rises_by 2"),
    ("number rises_by 1", "suit rises"),
    ("dice is 1", "colour alternates"),
    ("rank rises_by 1", "rank starts 3"),
]


@pytest.mark.parametrize(("text", "clause"), IMPLIED)
def test_R12_an_implied_clause_does_not_narrow(text: str, clause: str) -> None:
    assert is_implied(law(text), parse_clause(clause))


@pytest.mark.parametrize(("text", "clause"), NARROWING)
def test_R12_a_clause_that_is_not_implied_narrows(text: str, clause: str) -> None:
    assert not is_implied(law(text), parse_clause(clause))


def test_R12_the_order_of_a_law_does_not_matter() -> None:
    assert is_implied(law("dice is 1 & shade is dark"), parse_clause("colour is red"))
    assert is_implied(law("shade is dark & dice is 1"), parse_clause("colour is red"))


def test_R12_no_clause_narrows_a_law_that_only_jokers_follow() -> None:
    law_of_jokers = "colour is red & poker is hearts"
    assert is_implied(law(law_of_jokers), parse_clause("rank is even"))
    assert is_implied(law(law_of_jokers), parse_clause("number rises"))


def test_R12_an_implied_clause_cannot_be_claimed() -> None:
    assert is_claimable("00 24 48", "poker_colour is black")
    assert not is_claimable("00 24 48", "poker_colour is black", "shade is dark")
