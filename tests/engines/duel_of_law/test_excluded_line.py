"""Narrowing in version 2: whether a line of any length follows a law, but not a clause."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.claimable_clauses import adds_nothing, legal_claims
from tabularium_engines.duel_of_law.laws.excluded_line import (
    ANY_CLAUSE,
    LineSearch,
    excluded_line,
    excludes_a_line,
)
from tabularium_engines.duel_of_law.laws.joker_solver import holds
from tabularium_engines.duel_of_law.laws.law_language import SECOND_LANGUAGE
from tests.engines.duel_of_law import reference
from tests.engines.duel_of_law.law_parser import law_to_text, parse_clause
from tests.engines.duel_of_law.lines import WILDS, law
from tests.engines.duel_of_law.test_reference import JSON, random_line

CLAUSES = [int(clause) for clause in SECOND_LANGUAGE.clauses]
NARROWING = [
    ("letter alternates", "letter palindrome"),
    ("number alternates", "colour palindrome"),
    ("rank is odd & colour alternates", "colour palindrome"),
    ("rank alternates", "face is number"),
    ("dice adds_to 7", "dice is power of 2"),
    ("dice cycles 6", "dice rises_by 1"),
    ("dice cycles 5 & dice rises", "dice rises_by 1"),
    ("colour cycles 3", "dice cycles 3"),
    ("colour pairs", "dice pairs"),
    ("number peaks", "rank is even"),
    ("colour palindrome", "number palindrome"),
    ("letter word", "letter word backward"),
    ("rank follows primes", "rank is odd"),
    ("rank follows primes", "number rises"),
    ("number consecutive primes", "number follows primes"),
]
FOLLOWING = [
    ("colour is red", "colour palindrome"),
    ("letter is E", "letter palindrome"),
    ("number is 7 & rank alternates", "number palindrome"),  # no line follows it
    ("rank peaks & rank dips", "rank is even"),
    ("number rises_by 1", "face is number"),
    ("number sum_of_two", "face is number"),
    ("dice adds_to 3", "dice is power of 2"),
    ("rank adds_to 17", "rank is composite"),
    ("rank doubles & rank is odd", "rank is prime"),
    ("dice cycles 6 & dice rises", "dice rises_by 1"),
    ("colour cycles 3 & poker is spades", "dice cycles 3"),
    ("colour pairs & shade is light & poker is hearts", "dice pairs"),
    ("number palindrome", "colour palindrome"),
    ("letter word & letter palindrome", "letter word backward"),
    ("rank follows pi & rank follows pi backward", "rank palindrome"),
    ("number follows primes backward", "number is prime"),
    ("letter rises_by 13", "letter alternates"),
]


@pytest.mark.parametrize(("text", "clause"), NARROWING)
def test_R12_a_clause_that_excludes_a_line_narrows(text: str, clause: str) -> None:
    assert not adds_nothing(law(text), parse_clause(clause), SECOND_LANGUAGE)


@pytest.mark.parametrize(("text", "clause"), FOLLOWING)
def test_R12_a_clause_that_excludes_no_line_adds_nothing(text: str, clause: str) -> None:
    assert adds_nothing(law(text), parse_clause(clause), SECOND_LANGUAGE)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("number follows primes", "number rises"),
        ("rank follows primes", "rank never_falls"),
        ("rank consecutive powers of 2", "rank rises"),
        ("number consecutive squares backward", "number falls"),
    ],
)
def test_R52_that_a_sequence_does_not_begin_again_adds_nothing(text: str, clause: str) -> None:
    assert excludes_a_line(law(text), parse_clause(clause))
    assert adds_nothing(law(text), parse_clause(clause), SECOND_LANGUAGE)


def test_R12_a_clause_narrows_if_too_many_cards_are_to_be_tried() -> None:
    said, clause = law("dice adds_to 3"), parse_clause("dice is power of 2")
    short, whole = LineSearch(said, clause, 0, 5), LineSearch(said, clause)
    assert list(short.find()) == list(whole.find()) == []
    assert [short.is_undecided, whole.is_undecided] == [True, False]
    said = law("rank cycles 5 & dice cycles 6 & letter falls")
    search = LineSearch(said, ANY_CLAUSE)
    assert list(search.find()) == []
    assert search.is_undecided
    assert excludes_a_line(said, parse_clause("rank is even"))


def test_R12_an_excluded_line_follows_the_law_but_not_the_clause() -> None:
    random, found = Random(8), 0
    for _ in range(400):
        clauses, clause = random.sample(CLAUSES, random.randint(1, 2)), random.choice(CLAUSES)
        line = excluded_line(vec[i64](clauses), clause)
        if len(line) > 0:
            cards, said = [reference.DECK[card] for card in line], [JSON[one] for one in clauses]
            assert len(cards) > 2
            assert reference.holds(cards, said), law_to_text([*clauses, clause])
            assert not reference.is_satisfied(cards, JSON[clause], [*said, JSON[clause]])
            found += 1
    assert found > 100


def test_R12_no_clause_that_breaks_on_a_line_follows_from_a_law_of_the_line() -> None:
    random, judged = Random(5), 0
    for _ in range(150):
        cards = random_line(random)
        said = legal_claims(cards, vec[i64](), WILDS, SECOND_LANGUAGE) if len(cards) > 2 else []
        for _ in range(4 if said else 0):
            clauses = vec[i64](random.sample(said, min(len(said), random.randint(1, 3))))
            for clause in random.sample(CLAUSES, 6):
                if holds(cards, clauses, WILDS) and not _holds_or_may_begin(cards, clause, clauses):
                    assert excludes_a_line(clauses, clause), law_to_text([*clauses, clause])
                    judged += 1
    assert judged > 1_000


def _holds_or_may_begin(cards: vec[i64], clause: int, clauses: vec[i64]) -> bool:
    """Whether a clause holds, or is one of those that a longer line may show: R51."""
    pattern = codes.pattern_in(clause)
    return pattern in (codes.CYCLES, codes.PAIRS) or holds(
        cards, vec[i64]([*clauses, clause]), WILDS
    )


# -- all lines of a few cards ---------------------------------------------------------------------


class FewCards:
    """Cards of every kind that some features tell apart, and all lines of them up to a size."""

    def __init__(self, cards: Sequence[int], features: Collection[i64], longest: int) -> None:
        self.longest = longest
        self._cards = [reference.DECK[card] for card in cards]
        sizes = range(3, longest + 1)
        self._lines = [line for n in sizes for line in product(range(len(cards)), repeat=n)]
        self.clauses = [one for one in CLAUSES if codes.feature_in(one) in features]
        self.judged = [
            c for c in self.clauses if codes.pattern_in(c) not in (codes.CYCLES, codes.PAIRS)
        ]

    def lines_with(self, clause: int) -> set[int]:
        """The lines, by number, on which a clause holds by the reference."""
        return {
            number
            for number, places in enumerate(self._lines)
            if reference.is_satisfied(
                [self._cards[place] for place in places], JSON[clause], [JSON[clause]]
            )
        }


FEW_CARDS = {
    "dice": FewCards([26 * dice for dice in range(6)], [codes.DICE], 5),
    "poker": FewCards(
        [13 * suit for suit in range(4)], [codes.POKER, codes.POKER_COLOUR, codes.SHADE], 7
    ),
}


@pytest.mark.parametrize("few", FEW_CARDS.values(), ids=FEW_CARDS)
class TestAllLines:
    @pytest.mark.lane("slow", core=1)
    def test_R12_clauses_that_narrow_each_other(self, few: FewCards) -> None:
        lines = {clause: few.lines_with(clause) for clause in few.clauses}
        answers = []
        for said, clause in product(few.clauses, few.judged):
            answer = excluded_line(vec[i64]([said]), clause)
            has_short_one = bool(lines[said] - lines[clause])
            assert has_short_one == (len(answer) > 0) or len(answer) > few.longest
            assert excludes_a_line(vec[i64]([said]), clause) == (len(answer) > 0)
            answers.append(has_short_one)
        assert {True, False} == set(answers)

    @pytest.mark.lane("slow", core=1)
    def test_R12_clauses_that_narrow_a_law_of_two(self, few: FewCards) -> None:
        random, answers = Random(3), []
        lines = {clause: few.lines_with(clause) for clause in few.clauses}
        several = [c for c in few.clauses if codes.pattern_in(c) != codes.IS]
        for _ in range(1_500):
            one, other, clause = *random.sample(several, 2), random.choice(few.judged)
            answer = excluded_line(vec[i64]([one, other]), clause)
            has_short_one = bool(lines[one] & lines[other] - lines[clause])
            assert has_short_one == (len(answer) > 0) or len(answer) > few.longest
            assert excludes_a_line(vec[i64]([one, other]), clause) == (len(answer) > 0)
            answers.append(has_short_one)
        assert {True, False} == set(answers)
