"""Lines and laws for the tests, written as people write them."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CODES
from games.engines.duel_of_law.language.claiming import claims, may_claim
from games.engines.duel_of_law.language.holding import holds
from games.engines.duel_of_law.language.parser import parsed, parsed_law
from games.engines.duel_of_law.language.wilds import fresh_wilds
from games.engines.duel_of_law.language.words import written

WILDS = fresh_wilds()


def line(codes: str) -> vec[i64]:
    """Cards from left to right: "07 1Q *3"."""
    return vec[i64]([CODES.index(code) for code in codes.split()])


def law(text: str) -> vec[i64]:
    """A law as text, its clauses between ampersands."""
    return vec[i64](parsed_law(text))


def follows(codes: str, text: str, wilds: vec[i64] = WILDS) -> bool:
    """Do these cards follow this law?"""
    return holds(line(codes), law(text), wilds)


def is_claimable(codes: str, clause: str, text: str = "", wilds: vec[i64] = WILDS) -> bool:
    """May the clause be added to the law of the line? Both ways to ask must agree."""
    number = parsed(clause)
    listed = number in claims(line(codes), law(text), wilds)
    assert listed == may_claim(line(codes), law(text), number, wilds)
    return listed


def spelt(word: str) -> str:
    """Cards that spell a word, each as often as it comes."""
    from games.engines.duel_of_law.cards import ALPHABET, LETTER

    free = list(range(156))
    found: list[int] = []
    for letter in word.upper():
        card = next(card for card in free if ALPHABET[LETTER[card]] == letter)
        free.remove(card)
        found.append(card)
    return " ".join(CODES[card] for card in found)


def written_claims(codes: str, text: str = "") -> list[str]:
    """All clauses that may be added, as text."""
    return [written(clause) for clause in claims(line(codes), law(text), WILDS)]
