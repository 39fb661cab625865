"""Duel of Law against the plain reference: the same clauses hold on the same lines."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import (
    ALPHABET,
    COLOUR_NAMES,
    DIE_BY_CARD,
    POKER_SUITS,
    REGULAR_COUNT,
    SHADE_NAMES,
)
from games.engines.duel_of_law.language.catalogue import CATALOGUE
from games.engines.duel_of_law.language.clause_codes import RANK, feature_in
from games.engines.duel_of_law.language.clause_text import clause_to_json, clause_to_text
from games.engines.duel_of_law.language.implication import is_implied
from games.engines.duel_of_law.language.joker_values import (
    fresh_jokers,
    name_joker,
    open_values,
    possible_namings,
)
from games.engines.duel_of_law.language.law_evaluation import holds, settle_jokers
from games.engines.duel_of_law.language.legal_clauses import (
    can_be_said,
    has_claim,
    holds_with_law,
    is_narrowable,
    legal_claims,
)
from tests.engines.duel_of_law import reference
from tests.engines.duel_of_law.automaton import words
from tests.engines.duel_of_law.lines import line, spelt

JSON = {clause: clause_to_json(clause) for clause in CATALOGUE}
SEQUENCES = [*reference.DIGITS, "primes", "squares", "fibonacci numbers", "powers of 2"]
WORDS = [word for word in words() if len(word) < 8]


def some_line(random: Random) -> vec[i64]:
    """A random line of three to seven cards, of a kind on which clauses often hold."""
    size = random.randint(3, 7)
    kind = random.randrange(6)
    if kind == 0:
        return vec[i64]([random.randrange(REGULAR_COUNT) for _ in range(size)])
    if kind == 1:  # one suit, or one rank
        first, step = random.randrange(13), random.choice((1, 13))
        row = [(first + step * random.randrange(12)) % REGULAR_COUNT for _ in range(size)]
        return vec[i64](sorted(row) if random.random() < 0.5 else row)
    if kind == 2:  # steps
        first, step = random.randrange(120), random.randrange(120)
        numbers = [(first + step * at) % 120 for at in range(size)]
        return vec[i64]([number // 10 * 13 + number % 10 for number in numbers])
    if kind == 3:  # a palindrome
        half = [random.randrange(REGULAR_COUNT) for _ in range((size + 1) // 2)]
        return vec[i64]((half + half[::-1])[: size | 1])
    if kind == 4:  # a named sequence
        of = random.choice(("rank", "number"))
        members = list(reference.sequence(random.choice(SEQUENCES), of))[:size]
        suits = [random.randrange(12) for _ in members]
        return vec[i64](
            [
                suit * 13 + number if of == "rank" else number // 10 * 13 + number % 10
                for suit, number in zip(suits, members, strict=True)
            ]
        )
    word = random.choice(WORDS)
    while not is_spellable(word):
        word = random.choice(WORDS)
    cards = line(spelt(word))
    return cards if random.random() < 0.5 else vec[i64](list(cards)[::-1])


def is_spellable(word: str) -> bool:
    """Whether the deck has all letters of the word."""
    deck = "".join(reference.LETTERS)
    return all(word.upper().count(letter) <= deck.count(letter) for letter in word.upper())


def with_jokers(cards: vec[i64], random: Random) -> tuple[vec[i64], vec[i64]]:
    """The line with one to three jokers in it, whose values are narrowed to a few."""
    wilds = fresh_jokers()
    changed = cards[:]
    for joker in random.sample(range(6), random.randint(1, 3)):
        changed[random.randrange(len(cards))] = REGULAR_COUNT + joker
        wilds = narrowed(wilds, REGULAR_COUNT + joker, random)
    return changed, wilds


def narrowed(wilds: vec[i64], joker: i64, random: Random) -> vec[i64]:
    """The joker with one to four values in each print."""
    after = wilds[:]
    for which in range(8):
        kept = random.sample(
            values := list(open_values(wilds, joker, which)), min(len(values), random.randint(1, 4))
        )
        slot = (joker - REGULAR_COUNT) * 16 + which * 2
        after[slot] = sum(1 << value for value in kept if value < 60)
        after[slot + 1] = sum(1 << (value - 60) for value in kept if value >= 60)
    return after


def as_told(cards: vec[i64], wilds: vec[i64]) -> list[reference.Card]:
    """The line in the form of the reference."""
    return [reference.DECK[card] if card < REGULAR_COUNT else joker(wilds, card) for card in cards]


def joker(wilds: vec[i64], card: i64) -> reference.Card:
    """A joker in the form of the reference: all values that it may have."""
    says: dict[str, Any] = {
        "shade": lambda value: SHADE_NAMES[value],
        "poker": lambda value: POKER_SUITS[value],
        "rank": lambda value: reference.RANKS[value],
        "letter": lambda value: ALPHABET[value],
    }
    return {
        name: [says.get(name, int)(value) for value in open_values(wilds, card, which)]
        for which, name in enumerate(reference.PRINTS)
    }


def some_law(cards: vec[i64], wilds: vec[i64], random: Random) -> vec[i64]:
    """A law of up to two clauses that hold on the line."""
    law = vec[i64]()
    for _ in range(random.randrange(3)):
        found = legal_claims(cards, law, wilds)
        if found:
            law = vec[i64]([*law, random.choice(found)])
    return law


def compare(cards: vec[i64], wilds: vec[i64], law: vec[i64], asked: set[i64] | None = None) -> None:
    """The engine and the reference agree on one line under one law, on all clauses or on those
    asked about."""
    told, clauses = as_told(cards, wilds), [JSON[clause] for clause in law]
    holding = []
    for clause in CATALOGUE if asked is None else sorted(asked):
        if can_be_said(law, clause):
            expected = reference.holds(told, [*clauses, JSON[clause]])
            assert holds_with_law(cards, law, clause, wilds) == expected, clause_to_text(clause)
            if expected:
                assert holds(cards, vec[i64]([*law, clause]), wilds), clause_to_text(clause)
                holding.append(clause)
    found = [
        clause for clause in legal_claims(cards, law, wilds) if asked is None or clause in asked
    ]
    assert found == [clause for clause in holding if not is_implied(law, clause)]
    assert is_narrowable(cards, law, wilds) == (legal_claims(cards, law, wilds) != [])
    assert has_claim(cards, wilds) == (legal_claims(cards, vec[i64](), wilds) != [])


def compare_some(cards: vec[i64], wilds: vec[i64], random: Random) -> None:
    """They agree on the clauses that the engine finds to hold, and on some others."""
    law = some_law(cards, wilds, random)
    compare(
        cards, wilds, law, {*legal_claims(cards, law, wilds), *random.sample(sorted(CATALOGUE), 30)}
    )


def test_what_holds_is_what_the_reference_says(games_count: Callable[[int, int], int]) -> None:
    random, wilds = Random(1), fresh_jokers()
    for _ in range(games_count(20, 2_000)):
        cards = some_line(random)
        compare(cards, wilds, some_law(cards, wilds, random))
    for _ in range(games_count(40, 50_000)):
        compare_some(some_line(random), wilds, random)


def test_jokers_are_what_they_can_be(games_count: Callable[[int, int], int]) -> None:
    random = Random(2)
    for _ in range(games_count(8, 2_000)):
        cards, wilds = with_jokers(some_line(random), random)
        compare(cards, wilds, some_law(cards, wilds, random))
    for _ in range(games_count(20, 50_000)):
        compare_some(*with_jokers(some_line(random), random), random)


def test_a_settled_law_holds_with_what_is_left(games_count: Callable[[int, int], int]) -> None:
    random = Random(3)
    for _ in range(games_count(60, 5_000)):
        cards, wilds = with_jokers(some_line(random), random)
        law = some_law(cards, wilds, random)
        after = settle_jokers(cards, law, wilds)
        assert holds(cards, law, after)
        assert settle_jokers(cards, law, after) == after
        told = as_told(cards, after)
        for which in reference.PRINTS:
            demanded = [JSON[clause] for clause in law if print_of(JSON[clause]) == which]
            for world in reference.worlds(told, which) if demanded else ():
                assert all(reference.keeps(world, c, [JSON[old] for old in law]) for c in demanded)


def print_of(clause: reference.Clause) -> str:
    """The print of a joker on which a clause depends."""
    return reference.ON_PRINT.get(clause["feature"], clause["feature"])


def test_naming_takes_away_what_a_joker_is_not() -> None:
    wilds = fresh_jokers()
    for clause in possible_namings(wilds, REGULAR_COUNT):
        after = name_joker(wilds, REGULAR_COUNT, clause)
        assert sum(a != b for a, b in zip(wilds, after, strict=True)) in (1, 2)
        assert clause_to_text(clause) not in [
            clause_to_text(other) for other in possible_namings(after, REGULAR_COUNT)
        ]
    assert feature_in(possible_namings(wilds, REGULAR_COUNT)[0]) == 0
    assert len(possible_namings(wilds, REGULAR_COUNT)) == len(COLOUR_NAMES) + 4 + 13 + 120 + 26 + 7
    assert RANK in {feature_in(clause) for clause in possible_namings(wilds, REGULAR_COUNT)}
    assert DIE_BY_CARD[REGULAR_COUNT] == 1


# -- implication ----------------------------------------------------------------------------------

SMALL = ("colour", "suit", "shade", "dice", "poker", "poker_colour", "rank", "face", "vowel")
SMALL_ONES = [clause for clause in CATALOGUE if JSON[clause]["feature"] in SMALL]


def follows_plainly(law: list[reference.Clause], clause: reference.Clause) -> bool:
    """Whether the clause follows from the law, by trying all lines of three with one card of each
    kind that matters."""
    named = {c["feature"] for c in [*law, clause]}
    kinds = {
        tuple(str(reference.feature(card, name)) for name in named): card
        for card in reference.passing(law)
    }
    if clause["pattern"] == "is":
        return all(reference.is_so(card, clause) for card in reference.passing(law))
    for first in kinds.values():
        for second in kinds.values():
            for third in kinds.values():
                cards = [first, second, third]
                if reference.holds(cards, law) and not reference.keeps(
                    cards, clause, [*law, clause]
                ):
                    return False
    return True


def test_R12_what_says_nothing_new_is_what_the_reference_says(
    games_count: Callable[[int, int], int],
) -> None:
    random = Random(4)
    answers = []
    for _ in range(games_count(80, 20_000)):
        law = vec[i64](random.sample(SMALL_ONES, 1))
        clause = random.choice(SMALL_ONES)
        told = [JSON[old] for old in law]
        if JSON[law[0]]["pattern"] in ("follows", "starts") or not can_be_said(law, clause):
            continue
        answers.append(is_implied(law, clause))
        assert answers[-1] == (clause in law or follows_plainly(told, JSON[clause]))
    assert True in answers
    assert False in answers
