"""Implication: clauses that narrow a law, and clauses that follow from it."""

from __future__ import annotations

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duel_of_law.laws import clause_codes as codes
from games.engines.duel_of_law.laws.claimable_clauses import adds_nothing, legal_claims
from games.engines.duel_of_law.laws.clause_implication import is_implied
from games.engines.duel_of_law.laws.joker_solver import holds
from games.engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, SECOND_LANGUAGE
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import WILDS, is_claimable, law

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


# By law, a palindrome that holds on each line of three with it.
PALINDROMES = [
    ("letter alternates", "letter palindrome", True),
    ("number alternates", "colour palindrome", True),
    ("rank is odd & colour alternates", "colour palindrome", True),
    ("colour is red", "colour palindrome", False),
    ("letter is E", "letter palindrome", False),
    ("number is 7 & rank alternates", "number palindrome", False),
]


@pytest.mark.parametrize(("text", "clause", "is_new"), PALINDROMES)
def test_R12_version_2_judges_palindromes_on_four_cards(
    text: str, clause: str, is_new: bool
) -> None:
    said = parse_clause(clause)
    assert is_implied(law(text), said)
    assert adds_nothing(law(text), said, SECOND_LANGUAGE) != is_new
    assert adds_nothing(law(text), said, FIRST_LANGUAGE)


def test_R12_no_clause_that_breaks_on_a_longer_line_of_a_local_law_follows_from_it() -> None:
    random, judged = Random(5), 0
    clauses = list(SECOND_LANGUAGE.clauses)
    mirrored = [one for one in clauses if codes.pattern_in(one) == codes.PALINDROME]
    for size in (3, 4, 5, 6) * 6:
        cards = vec[i64](_alternating_line(random, size))
        said = legal_claims(cards, vec[i64](), WILDS, SECOND_LANGUAGE)
        local = [one for one in said if bit(codes.pattern_in(one)) & codes.LASTING_PATTERNS != 0]
        for one in random.sample(local, min(4, len(local))):
            for clause in (*mirrored, *random.sample(clauses, 8)):
                if not holds(cards, vec[i64]([clause]), WILDS):
                    assert not adds_nothing(vec[i64]([one]), clause, SECOND_LANGUAGE)
                    judged += 1
    assert judged > 300


def _alternating_line(random: Random, size: int) -> list[int]:
    """Cards of two suits in turn, each of any rank, or of two ranks, each of any suit."""
    one, other = random.sample(range(12), 2)
    if random.random() < 0.5:
        return [13 * (other if at % 2 else one) + random.randrange(13) for at in range(size)]
    return [13 * random.randrange(12) + (other if at % 2 else one) for at in range(size)]
