"""`python -m bench.law_exclusion`: how much the clauses of Duel of Law exclude.

For each pattern: the share of the deck that can go on after a line that follows it. For each set of
clauses: the shares of random hands and random lines that have a law.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from bench.line_orders import Reading, can_follow
from tabularium_engines.duel_of_law.cards import REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws import law_language
from tabularium_engines.duel_of_law.laws.card_features import NUMBERS_ON_CARD, ORDERED_FEATURES
from tabularium_engines.duel_of_law.laws.claimable_clauses import has_claim
from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE
from tabularium_engines.duel_of_law.laws.clauses_on_line import (
    has_single_card_clause,
    holds_without_jokers,
    multi_card_clauses,
)
from tabularium_engines.duel_of_law.laws.law_language import SECOND_LANGUAGE, Language

CARDS: Final = range(int(REGULAR_COUNT))
HAND_SIZE: Final = 12
LINES_PER_HAND: Final = 10
NEXT_CARDS: Final = 30  # tried at each end of a line
NO_LAW: Final[vec[i64]] = vec[i64]()
Follows = Callable[[list[int]], bool]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.law_exclusion", description=__doc__)
    parser.add_argument("--hands", type=int, default=300, help="random hands, each of twelve cards")
    hands = parser.parse_args().hands
    print("Share of the deck that can be the next card, by pattern:")
    shares = sorted(next_card_shares(hands).items(), key=lambda item: -item[1])
    for name, share in shares:
        print(f"  {name:28} {share:.2f}")
    print("Share of random hands of 12, 8 and 6 cards that can be laid as one line:")
    by_size = [orderable_shares(size, hands) for size in (12, 8, 6)]
    for name in by_size[0]:
        print(f"  {name:38}", *(f"{shares[name]:.2f}" for shares in by_size))
    print("Share of random lines of 3, 4, 5 and 6 cards that have a law:")
    for name, language in languages().items():
        print(
            f"  {name:28}", *(f"{lawful_share(language, size, hands):.3f}" for size in range(3, 7))
        )


def random_lines(hands: int, sizes: Sequence[int]) -> Iterator[tuple[list[int], Random]]:
    """Lines of cards of seeded hands, in any order."""
    for seed in range(hands):
        random = Random(seed)
        hand = random.sample(CARDS, HAND_SIZE)
        for _ in range(LINES_PER_HAND):
            yield random.sample(hand, random.choice(sizes)), random


def next_card_shares(hands: int) -> dict[str, float]:
    """By pattern, the mean share of the deck that can lengthen a line that follows it."""
    shares: dict[str, list[float]] = defaultdict(list)
    for cards, random in random_lines(hands, (3, 4, 5)):
        nexts = random.sample([card for card in CARDS if card not in cards], NEXT_CARDS)
        for clause in multi_card_clauses(vec[i64](cards), NO_LAW, SECOND_LANGUAGE):
            shares[pattern_name(clause)].append(next_share(cards, nexts, follows_clause(clause)))
        for feature in ORDERED_FEATURES:
            if zigzags(feature)(cards):
                shares["(zigzag)"].append(next_share(cards, nexts, zigzags(feature)))
    return {name: sum(found) / len(found) for name, found in shares.items()}


def pattern_name(clause: int) -> str:
    """The name of a clause's pattern; alternation has three kinds."""
    name, value = codes.PATTERN_NAMES[codes.pattern_in(clause)], codes.value_in(clause)
    is_property = codes.is_property(value)
    return f"{name} {codes.VALUE_NAMES[value]}" if is_property or value == codes.PARITY else name


def next_share(cards: list[int], nexts: list[int], follows: Follows) -> float:
    """The share of the cards that can lie at an end of a line."""
    found = sum(follows([*cards, card]) + follows([card, *cards]) for card in nexts)
    return found / (2 * len(nexts))


def follows_clause(clause: int) -> Follows:
    """Whether cards follow a clause."""
    return lambda cards: bool(holds_without_jokers(vec[i64](cards), vec[i64]([clause])))


def zigzags(feature: int) -> Follows:
    """Whether a feature rises and falls in turn: no clause, for comparison."""

    def is_zigzag(cards: list[int]) -> bool:
        values = [NUMBERS_ON_CARD[feature * 162 + card] for card in cards]
        ways = [(two > one) - (two < one) for one, two in pairwise(values)]
        return min(values) >= 0 and all(one * two < 0 for one, two in pairwise(ways))

    return is_zigzag


def languages() -> dict[str, Language]:
    """The languages that are compared."""
    second = [int(clause) for clause in SECOND_LANGUAGE.clauses]
    first = [clause for clause in second if law_language.is_first_clause(clause)]
    every = [
        int(codes.encode_clause(codes.feature_in(clause), codes.ALTERNATES, codes.value_in(clause)))
        for clause in second
        if codes.is_property(codes.value_in(clause)) and codes.value_in(clause) > codes.ODD
    ]
    return {
        "version 1": Language(vec[i64](filter(law_language.is_first_clause, CATALOGUE)), False),
        "version 2, clauses of 1 only": Language(vec[i64](first), True),
        "version 2": SECOND_LANGUAGE,
        "and all properties alternate": with_more(every),
        "and suits never fall": with_more([clause_of(codes.SUIT, codes.NEVER_FALLS)]),
        "and letters have peaks": with_more([clause_of(codes.LETTER, codes.PEAKS)]),
        "and shades come in pairs": with_more([clause_of(codes.SHADE, codes.PAIRS)]),
    }


def with_more(clauses: list[int]) -> Language:
    """The language of version 2 with more clauses."""
    return Language(vec[i64](sorted({*map(int, SECOND_LANGUAGE.clauses), *clauses})), True)


def clause_of(feature: int, pattern: int) -> int:
    """A clause that needs no value."""
    return int(codes.encode_clause(feature, pattern))


def lawful_share(language: Language, size: int, hands: int) -> float:
    """The share of random lines that have a law."""
    found = [
        has_claim(vec[i64](cards), NO_LAW, language) for cards, _ in random_lines(hands, (size,))
    ]
    return sum(found) / len(found)


def orderable_shares(size: int, hands: int) -> dict[str, float]:
    """By language, the share of random hands that follow a law in some order; and those of version
    2 by other readings of courses that begin again."""
    compared: dict[str, tuple[Language, Reading]] = {
        **{name: (language, "any") for name, language in languages().items()},
        "version 2, again from the first value": (SECOND_LANGUAGE, "first"),
        "version 2, not again": (SECOND_LANGUAGE, "none"),
    }
    found = dict.fromkeys(compared, 0)
    for seed in range(hands):
        hand = tuple(Random(seed).sample(CARDS, size))
        for name, (language, reading) in compared.items():
            found[name] += can_be_laid(hand, language, reading)
        follows.cache_clear()
    return {name: count / hands for name, count in found.items()}


def can_be_laid(hand: tuple[int, ...], language: Language, reading: Reading) -> bool:
    """Whether a hand follows a law in some order."""
    return has_single_card_clause(vec[i64](hand), language) or any(
        follows(clause, hand, reading) for clause in language.first_clauses
    )


@cache
def follows(clause: int, hand: tuple[int, ...], reading: Reading) -> bool:
    """Whether a hand follows a clause in some order; the languages share most clauses."""
    return can_follow(clause, hand, reading)


if __name__ == "__main__":
    main()
