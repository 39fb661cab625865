"""Lines and laws for the tests, in written notation."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.laws.claimable_clauses import can_claim, legal_claims
from tabularium_engines.duel_of_law.laws.joker_solver import holds
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, Language
from tabularium_engines.duel_of_law.laws.possible_joker_values import FRESH_JOKERS
from tests.engines.duel_of_law.law_parser import clause_to_text, parse_clause, parse_law

WILDS = FRESH_JOKERS


def line(codes: str) -> vec[i64]:
    """Cards from left to right, from "07 1Q *3"."""
    return vec[i64]([CARD_CODES.index(code) for code in codes.split()])


def law(text: str) -> vec[i64]:
    """A law from text, its clauses joined by ampersands."""
    return vec[i64](parse_law(text))


def is_lawful(codes: str, text: str, wilds: vec[i64] = WILDS) -> bool:
    """Whether these cards follow this law."""
    return holds(line(codes), law(text), wilds)


def is_claimable(
    codes: str,
    clause: str,
    text: str = "",
    wilds: vec[i64] = WILDS,
    language: Language = FIRST_LANGUAGE,
) -> bool:
    """Whether the clause may be added to the law of the line; both ways to ask must agree."""
    number = parse_clause(clause)
    is_listed = number in legal_claims(line(codes), law(text), wilds, language)
    assert is_listed == can_claim(line(codes), law(text), number, wilds, language)
    return is_listed


def word_cards(word: str) -> str:
    """Cards that spell a word, each used once."""
    from tabularium_engines.duel_of_law.cards import ALPHABET, LETTER_BY_CARD

    free_cards = list(range(156))
    cards: list[int] = []
    for letter in word.upper():
        card = next(card for card in free_cards if ALPHABET[LETTER_BY_CARD[card]] == letter)
        free_cards.remove(card)
        cards.append(card)
    return " ".join(CARD_CODES[card] for card in cards)


def legal_claim_texts(codes: str, text: str = "") -> list[str]:
    """All clauses that may be added, as text."""
    return [clause_to_text(clause) for clause in legal_claims(line(codes), law(text), WILDS)]
