"""The parser of spoken laws: understands a sentence, such as "all the numbers are odd", as a clause
of a catalogue, or says why it is none (R4) and which clauses come near."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.bits import bit
from tabularium_engines.common.english_text import join_words
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws import law_vocabulary_text as vocabulary
from tabularium_engines.duel_of_law.laws.clause_text import clause_sentence
from tabularium_engines.duel_of_law.laws.law_meanings_text import Meanings, meanings_of
from tabularium_engines.duel_of_law.laws.listed_values_text import is_shown
from tabularium_engines.duel_of_law.laws.spoken_words_text import Words

MAX_LENGTH: Final = 200  # characters of a sentence
MAX_SUGGESTIONS: Final = 3
NO_CARDS: Final = vec[i64]()
LIKE_A_WORD: Final = 0.75  # how much a misspelt word is like the word that it stands for
_AND: Final = re.compile(r"[,;&]|\band\b", re.IGNORECASE)

# Refusals without a hint: the clauses that come near mean the opposite.
_CONTRARY: Final = ("unknown", "has-no-negation", "has-no-difference", "has-no-inequality")

Catalogue = tuple[int, ...]


def clause_said(
    sentence: str,
    catalogue: Catalogue,
    may_claim: Callable[[int], bool] | None,
    cards: vec[i64] = NO_CARDS,
) -> int:
    """The clause that a sentence says. Where it may mean several, it is the one that may be claimed
    now, of a line of these cards; with `may_claim` None, the first. Raises IllegalAction if it says
    none, or several, or lists values that the line does not show."""
    if len(sentence) > MAX_LENGTH:
        raise _refusal("too-long", f"Say it in at most {MAX_LENGTH} characters")
    words = Words.of(sentence)
    tiers = _short(sentence, catalogue) or _shown(_meanings(words, catalogue), words.listed, cards)
    if not tiers:
        raise _reason(sentence, catalogue)
    if may_claim is None:
        return tiers[0][0]
    for tier in tiers:
        if claimable := [clause for clause in tier if may_claim(clause)]:
            return _only_one(claimable)
    return _only_one(tiers[0])


def _meanings(words: Words, catalogue: Catalogue) -> Meanings:
    """The clauses of the catalogue that these words may mean."""
    known = set(catalogue)
    tiers = [[_said_forward(clause, known) for clause in tier] for tier in meanings_of(words)]
    tiers = [[clause for clause in tier if clause in known] for tier in tiers]
    return [tier for tier in tiers if tier]


def _shown(tiers: Meanings, listed: Sequence[str], cards: vec[i64]) -> Meanings:
    """The clauses without those for which a line would show other values than are listed."""
    shown = [[one for one in tier if is_shown(one, listed, cards)] for tier in tiers]
    return [tier for tier in shown if tier]


def _said_forward(clause: int, known: Container[int]) -> int:
    """The clause; or, where the catalogue has no course that is read backward, the opposite one."""
    pattern, opposite = codes.pattern_in(clause), codes.RISES + codes.FALLS
    if clause in known or bit(pattern) & codes.MONOTONE_PATTERNS == 0:
        return clause
    return int(codes.encode_clause(codes.feature_in(clause), opposite - pattern))


def _short(sentence: str, catalogue: Catalogue) -> Meanings:
    """The clause as short text: "letter word backward"."""
    found = _clauses_by_short_text(catalogue).get(" ".join(sentence.lower().split()))
    return [[found]] if found is not None else []


@cache
def _clauses_by_short_text(catalogue: Catalogue) -> dict[str, int]:
    return {short_text(clause).lower(): clause for clause in catalogue}


def short_text(clause: int) -> str:
    """A clause as short text: "number rises_by 2", "letter word backward"."""
    said = codes.clause_fields(clause)
    direction = said.pop("direction")
    parts = [*said.values(), direction if codes.direction_in(clause) else ""]
    return " ".join(part for part in parts if part)


def _only_one(clauses: Sequence[int]) -> int:
    """The clause, if it is the only one."""
    if len(clauses) == 1:
        return clauses[0]
    raise _refusal("ambiguous", "That can mean several things", clauses)


# -- refusals ------------------------------------------------------------------------------------


def _refusal(code: str, reason: str, suggestions: Iterable[int] = ()) -> IllegalAction:
    said = [f"“{clause_sentence(clause)}”" for clause in [*suggestions][:MAX_SUGGESTIONS]]
    hint = f" Did you mean {join_words(said, 'or')}?" if said else ""
    return IllegalAction(f"law-{code}", f"{reason}.{hint}", "/law")


def _reason(sentence: str, catalogue: Catalogue) -> IllegalAction:
    """Why a sentence says no clause."""
    words = Words.of(sentence)
    for code, pattern, reason in vocabulary.LACKS:
        if pattern.search(words.symbols):
            near = _corrected(words, catalogue) if code not in _CONTRARY else []
            return _refusal(code, reason, near)
    if words.is_list:
        reason = "A law is no list: one clause says one thing of one feature"
        return _refusal("is-a-list", reason)
    parts = _parts(sentence, words, catalogue)
    if len(parts) > 1:
        return _refusal("has-two-clauses", "A claim adds one clause, not two", parts)
    if words.hues:
        reason = f"{words.hues[0].capitalize()} is dark or light"
        return _refusal("unknown", reason, _of_hue(words.hues[0], catalogue))
    return _unknown(words, catalogue)


def _unknown(words: Words, catalogue: Catalogue) -> IllegalAction:
    suggestions = _corrected(words, catalogue) or _nearest(words, catalogue)
    if words.unknown:
        quoted = join_words(f"“{word[:20]}”" for word in words.unknown[:MAX_SUGGESTIONS])
        return _refusal("unknown", f"No law speaks of {quoted}", suggestions)
    return _refusal("unknown", "That says no law", suggestions)


def _parts(sentence: str, words: Words, catalogue: Catalogue) -> list[int]:
    """The clauses that the parts of a sentence say: those between its commas, or single words."""
    pieces = [Words.of(piece) for piece in _AND.split(sentence) if piece.strip()]
    said = [tiers[0][0] for piece in pieces if (tiers := _meanings(piece, catalogue))]
    if len(said) < max(2, len(pieces)):
        either = (
            _meanings(full, catalogue) or _meanings(alone, catalogue)
            for full, alone in words.parts()
        )
        said = [tiers[0][0] for tiers in either if tiers]
    return list(dict.fromkeys(said))


def _of_hue(hue: str, catalogue: Catalogue) -> list[int]:
    """The clauses that come near to a hue such as green, which is dark or light."""
    die = {"green": "3", "blue": "4", "purple": "5"}[hue]
    shades = [("colour", f"{shade} {hue}") for shade in ("dark", "light")]
    said = [codes.clause_of_fields(name, "is", value) for name, value in [("dice", die), *shades]]
    return [int(clause) for clause in said if clause in catalogue]


def _corrected(words: Words, catalogue: Catalogue) -> list[int]:
    """The clauses that the sentence says without its unknown words, or with the words that these
    are like."""
    known = sorted(set(vocabulary.known_words()))
    text = f" {words.plain} "
    for word in words.unknown:
        like = get_close_matches(word, known, 1, LIKE_A_WORD)
        text = text.replace(f" {word} ", f" {like[0] if like else ''} ")
    tiers = _meanings(Words.of(text), catalogue) if words.unknown else []
    return tiers[0] if tiers else []


def _nearest(words: Words, catalogue: Catalogue) -> list[int]:
    """The clauses whose sentences share most with the words, those that name no number or letter
    first; none if they share nothing."""
    content = words.content
    scored = [
        (-2 * len(content & own) / (len(content) + len(own)), _names_exact_value(clause), clause)
        for clause, own in zip(catalogue, _contents(catalogue), strict=True)
        if content & own
    ]
    return [clause for _, _, clause in sorted(scored)[:MAX_SUGGESTIONS]]


def _names_exact_value(clause: int) -> bool:
    return codes.value_in(clause) < codes.FIRST_COLOUR


@cache
def _contents(catalogue: Catalogue) -> list[frozenset[str]]:
    """By clause, the words of its sentence that are no fillers."""
    return [Words.of_the_game(clause_sentence(clause)).content for clause in catalogue]
