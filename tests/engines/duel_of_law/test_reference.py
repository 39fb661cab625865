"""Duel of Law against the reference: the same clauses hold on the same lines."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import (
    ALPHABET,
    COLOUR_NAMES,
    DIE_BY_CARD,
    POKER_SUITS,
    REGULAR_COUNT,
    SHADE_NAMES,
)
from tabularium_engines.duel_of_law.laws import card_features
from tabularium_engines.duel_of_law.laws.claimable_clauses import (
    adds_nothing,
    can_be_said,
    has_claim,
    holds_with_law,
    is_narrowable,
    legal_claims,
)
from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE
from tabularium_engines.duel_of_law.laws.clause_codes import RANK, clause_fields, feature_in
from tabularium_engines.duel_of_law.laws.clause_implication import is_implied
from tabularium_engines.duel_of_law.laws.joker_solver import holds, settle_jokers
from tabularium_engines.duel_of_law.laws.law_language import (
    FIRST_LANGUAGE,
    SECOND_LANGUAGE,
    Language,
)
from tabularium_engines.duel_of_law.laws.possible_joker_values import (
    FRESH_JOKERS,
    naming_clauses,
    open_values,
    restrict_joker,
)
from tests.engines.duel_of_law import reference
from tests.engines.duel_of_law.automaton import words
from tests.engines.duel_of_law.law_parser import clause_to_text
from tests.engines.duel_of_law.lines import line, word_cards

JSON = {clause: clause_fields(clause) for clause in CATALOGUE}
LANGUAGES = [
    pytest.param(FIRST_LANGUAGE, id="version 1"),
    pytest.param(SECOND_LANGUAGE, id="version 2"),
]
SEQUENCES = [*reference.DIGITS, "primes", "squares", "fibonacci numbers", "powers of 2"]
WORDS = [word for word in words() if len(word) < 8]


def random_line(random: Random) -> vec[i64]:
    """A random line of three to seven cards, of a kind on which clauses often hold."""
    size, kind = random.randint(3, 7), random.randrange(9)
    if kind < 5:
        return plain_line(random, size, kind)
    return (repeating_line, growing_line, turning_line, spelling_line)[kind - 5](random, size)


def plain_line(random: Random, size: int, kind: int) -> vec[i64]:
    """Any cards, one suit or rank, steps, a palindrome, or a named sequence."""
    if kind == 0:
        return vec[i64]([random.randrange(REGULAR_COUNT) for _ in range(size)])
    if kind == 1:  # one suit, or one rank
        first, step = random.randrange(13), random.choice((1, 13))
        numbers = [(first + step * random.randrange(12)) % REGULAR_COUNT for _ in range(size)]
        return vec[i64](sorted(numbers) if random.random() < 0.5 else numbers)
    if kind == 2:  # steps
        first, step = random.randrange(120), random.randrange(120)
        numbers = [(first + step * at) % 120 for at in range(size)]
        return vec[i64]([number // 10 * 13 + number % 10 for number in numbers])
    if kind == 3:  # a palindrome
        half = [random.randrange(REGULAR_COUNT) for _ in range((size + 1) // 2)]
        return vec[i64]((half + half[::-1])[: size | 1])
    feature = random.choice(("rank", "number"))
    members = list(reference.sequence(random.choice(SEQUENCES), feature))[:size]
    suits = [random.randrange(12) for _ in members]
    return vec[i64](
        [
            suit * 13 + number if feature == "rank" else number // 10 * 13 + number % 10
            for suit, number in zip(suits, members, strict=True)
        ]
    )


def turning_line(random: Random, size: int) -> vec[i64]:
    """Cards up and then down."""
    numbers = sorted(random.randrange(REGULAR_COUNT) for _ in range(size))
    turn = random.randrange(size)
    return vec[i64](numbers[:turn] + numbers[turn:][::-1])


def spelling_line(random: Random, size: int) -> vec[i64]:
    """Cards that spell a word, in one of the directions."""
    word = random.choice([word for word in random.sample(WORDS, 50) if is_spellable(word)])
    cards = line(word_cards(word))
    return cards if random.random() < 0.5 else vec[i64](list(cards)[::-1])


def repeating_line(random: Random, size: int) -> vec[i64]:
    """Cards of three or four kinds in turn, or of one kind after another by twos."""
    period = random.choice((2, 3, 4))
    step, other_step = random.choice(((1, 13), (13, 1)))
    kinds = random.sample(range(12), 4)
    place = [at // 2 % 4 if period == 2 else at % period for at in range(size)]
    return vec[i64]([kinds[at] * step + random.randrange(12) * other_step for at in place])


def growing_line(random: Random, size: int) -> vec[i64]:
    """Ranks of which each is twice the one before, or the sum of the two before."""
    ranks, is_doubling = [random.randrange(3), random.randrange(3)], random.random() < 0.5
    while len(ranks) < size:
        ranks.append(2 * ranks[-1] if is_doubling else ranks[-1] + ranks[-2])
    ranks = [rank for rank in ranks if rank < 10]
    cards = [13 * random.randrange(12) + rank for rank in ranks]
    return vec[i64](cards if random.random() < 0.5 else cards[::-1])


def is_spellable(word: str) -> bool:
    """Whether the deck has all letters of the word."""
    deck = "".join(reference.LETTERS)
    return all(word.upper().count(letter) <= deck.count(letter) for letter in word.upper())


def with_jokers(cards: vec[i64], random: Random) -> tuple[vec[i64], vec[i64]]:
    """The line with one to three jokers in it, whose values are narrowed to a few."""
    wilds = FRESH_JOKERS
    cards_with_jokers = cards[:]
    for joker in random.sample(range(6), random.randint(1, 3)):
        cards_with_jokers[random.randrange(len(cards))] = REGULAR_COUNT + joker
        wilds = narrow_joker(wilds, REGULAR_COUNT + joker, random)
    return cards_with_jokers, wilds


def narrow_joker(wilds: vec[i64], joker: i64, random: Random) -> vec[i64]:
    """The joker with one to four values in each print."""
    after = wilds[:]
    for print_index in range(8):
        values_kept = random.sample(
            values := list(open_values(wilds, joker, print_index)),
            min(len(values), random.randint(1, 4)),
        )
        slot = (joker - REGULAR_COUNT) * 16 + print_index * 2
        after[slot] = sum(1 << value for value in values_kept if value < 60)
        after[slot + 1] = sum(1 << (value - 60) for value in values_kept if value >= 60)
    return after


def reference_line(cards: vec[i64], wilds: vec[i64]) -> list[reference.Card]:
    """The line in the form of the reference."""
    return [
        reference.DECK[card] if card < REGULAR_COUNT else reference_joker(wilds, card)
        for card in cards
    ]


def reference_joker(wilds: vec[i64], card: i64) -> reference.Card:
    """A joker in the form of the reference: all values that it may have."""
    value_names: dict[str, Any] = {
        "shade": lambda value: SHADE_NAMES[value],
        "poker": lambda value: POKER_SUITS[value],
        "rank": lambda value: reference.RANKS[value],
        "letter": lambda value: ALPHABET[value],
    }
    return {
        name: [value_names.get(name, int)(value) for value in open_values(wilds, card, print_index)]
        for print_index, name in enumerate(reference.PRINTS)
    }


def random_law(cards: vec[i64], wilds: vec[i64], random: Random, language: Language) -> vec[i64]:
    """A law of up to two clauses that hold on the line."""
    law = vec[i64]()
    for _ in range(random.randrange(3)):
        claims = legal_claims(cards, law, wilds, language)
        if claims:
            law = vec[i64]([*law, random.choice(claims)])
    return law


def compare(
    cards: vec[i64],
    wilds: vec[i64],
    law: vec[i64],
    language: Language,
    clauses_to_compare: set[i64] | None = None,
) -> None:
    """The engine and the reference agree on one line under one law, on all clauses or on those
    asked about."""
    cards_of_reference, clauses = reference_line(cards, wilds), [JSON[clause] for clause in law]
    holding_clauses = []
    for clause in language.clauses if clauses_to_compare is None else sorted(clauses_to_compare):
        if can_be_said(law, clause, language):
            expected = reference.holds(cards_of_reference, [*clauses, JSON[clause]])
            assert holds_with_law(cards, law, clause, wilds) == expected, clause_to_text(clause)
            if expected:
                assert holds(cards, vec[i64]([*law, clause]), wilds), clause_to_text(clause)
                holding_clauses.append(clause)
    claims = [
        clause
        for clause in legal_claims(cards, law, wilds, language)
        if clauses_to_compare is None or clause in clauses_to_compare
    ]
    assert claims == [one for one in holding_clauses if not adds_nothing(law, one, language)]
    assert is_narrowable(cards, law, wilds, language) == (
        legal_claims(cards, law, wilds, language) != []
    )
    assert has_claim(cards, wilds, language) == (
        legal_claims(cards, vec[i64](), wilds, language) != []
    )


def compare_sample(cards: vec[i64], wilds: vec[i64], random: Random, language: Language) -> None:
    """They agree on the clauses that the engine finds to hold, and on some others."""
    law = random_law(cards, wilds, random, language)
    others = random.sample(sorted(language.clauses), 30)
    claims = {*legal_claims(cards, law, wilds, language), *others}
    compare(cards, wilds, law, language, claims)


@pytest.mark.parametrize("language", LANGUAGES)
def test_exactly_the_clauses_of_the_reference_hold(
    games_count: Callable[[int, int], int], language: Language
) -> None:
    random, wilds = Random(1), FRESH_JOKERS
    for _ in range(games_count(20, 2_000)):
        cards = random_line(random)
        compare(cards, wilds, random_law(cards, wilds, random, language), language)
    for _ in range(games_count(40, 50_000)):
        compare_sample(random_line(random), wilds, random, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_clauses_on_lines_with_jokers_agree_with_the_reference(
    games_count: Callable[[int, int], int], language: Language
) -> None:
    random = Random(2)
    for _ in range(games_count(8, 2_000)):
        cards, wilds = with_jokers(random_line(random), random)
        law = random_law(cards, wilds, random, language)
        compare(cards, wilds, law, language)
    for _ in range(games_count(20, 50_000)):
        compare_sample(*with_jokers(random_line(random), random), random, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_settled_law_holds_with_the_remaining_values(
    games_count: Callable[[int, int], int], language: Language
) -> None:
    random = Random(3)
    for _ in range(games_count(60, 5_000)):
        cards, wilds = with_jokers(random_line(random), random)
        law = random_law(cards, wilds, random, language)
        after = settle_jokers(cards, law, wilds)
        assert holds(cards, law, after)
        assert settle_jokers(cards, law, after) == after
        cards_of_reference = reference_line(cards, after)
        for print_name in reference.PRINTS:
            print_clauses = [JSON[clause] for clause in law if print_of(JSON[clause]) == print_name]
            for world in reference.worlds(cards_of_reference, print_name) if print_clauses else ():
                assert all(
                    reference.is_satisfied(world, c, [JSON[old] for old in law])
                    for c in print_clauses
                )


def print_of(clause: reference.Clause) -> str:
    """The print of a joker on which a clause depends."""
    return reference.PRINT_BY_FEATURE.get(clause["feature"], clause["feature"])


def test_naming_removes_the_other_values_of_a_joker() -> None:
    wilds = FRESH_JOKERS
    namings = naming_clauses(wilds, REGULAR_COUNT, is_certain=False)
    for clause in namings:
        after = restrict_joker(
            wilds, REGULAR_COUNT, card_features.print_of(clause), vec[i64]([clause])
        )
        assert sum(a != b for a, b in zip(wilds, after, strict=True)) in (1, 2)
        assert clause_to_text(clause) not in [
            clause_to_text(other)
            for other in naming_clauses(after, REGULAR_COUNT, is_certain=False)
        ]
    assert feature_in(namings[0]) == 0
    assert len(namings) == len(COLOUR_NAMES) + 4 + 13 + 120 + 26 + 7
    assert RANK in {feature_in(clause) for clause in namings}
    assert DIE_BY_CARD[REGULAR_COUNT] == 1


# -- implication in version 1 ----------------------------------------------------------------------

SMALL = ("colour", "suit", "shade", "dice", "poker", "poker_colour", "rank", "face", "vowel")
SMALL_ONES = [clause for clause in FIRST_LANGUAGE.clauses if JSON[clause]["feature"] in SMALL]


def is_implied_by_reference(law: list[reference.Clause], clause: reference.Clause) -> bool:
    """Whether the clause follows from the law, by trying all lines of three with one card of each
    kind that matters."""
    features = {c["feature"] for c in [*law, clause]}
    card_by_features = {
        tuple(str(reference.feature(card, name)) for name in features): card
        for card in reference.admitted_cards(law)
    }
    if clause["pattern"] == "is":
        return all(reference.has_value(card, clause) for card in reference.admitted_cards(law))
    for first in card_by_features.values():
        for second in card_by_features.values():
            for third in card_by_features.values():
                cards = [first, second, third]
                if reference.holds(cards, law) and not reference.is_satisfied(
                    cards, clause, [*law, clause]
                ):
                    return False
    return True


def test_R12_implied_clauses_are_those_of_the_reference(
    games_count: Callable[[int, int], int],
) -> None:
    random = Random(4)
    answers = []
    for _ in range(games_count(250, 20_000)):
        law = vec[i64](random.sample(SMALL_ONES, 1))
        clause = random.choice(SMALL_ONES)
        cards_of_reference = [JSON[old] for old in law]
        if JSON[law[0]]["pattern"] in ("follows", "starts") or not can_be_said(law, clause):
            continue
        answers.append(is_implied(law, clause))
        assert answers[-1] == (
            clause in law or is_implied_by_reference(cards_of_reference, JSON[clause])
        )
    assert True in answers
    assert False in answers
