"""The text of clauses: English sentences, and the reasons for refusing a clause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.common.english_text import join_words
from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import card_set, is_passed_by_all
from tabularium_engines.duel_of_law.laws.claimable_clauses import (
    adds_nothing,
    can_be_said,
    holds_with_law,
)
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, Language

_FEATURE_PLURALS: Final = (
    *("colours", "suits", "shades", "dice suits", "poker suits", "poker colours", "ranks"),
    *("kinds", "numbers", "letters", "letters", "letter values"),
)
_FEATURE_SUBJECTS: Final = (  # by feature, the subject of "every … is"
    *("card", "suit", "card", "dice suit", "poker suit", "poker suit", "rank"),
    *("card", "number", "letter", "letter", "letter value"),
)
_PALINDROME_SUBJECTS: Final = {
    codes.POKER_COLOUR: "black and red poker suits",
    codes.FACE: "face cards and number cards",
    codes.VOWEL: "vowels and consonants",
}
_ALTERNATION_SUBJECTS: Final = {codes.SHADE: "dark and light cards", **_PALINDROME_SUBJECTS}
_VALUE_PHRASES: Final = {
    "square": "a square",
    "cube": "a cube",
    "fibonacci": "a Fibonacci number",
    "power of 2": "a power of 2",
    "vowel": "a vowel",
    "consonant": "a consonant",
    "face": "a face card",
    "number": "a number card",
}
_PROPERTY_PLURALS: Final = {
    "prime": "primes",
    "square": "squares",
    "multiple of 3": "multiples of 3",
}
_LINK_PHRASES: Final = {
    "dice": "the dice suit",
    "suit": "the suit number",
    "letter_value": "the letter value",
}
_CYCLE_NUMBERS: Final = {"3": "three", "4": "four", "5": "five", "6": "six"}
_SEQUENCE_PHRASES: Final = {
    "pi": "the digits of pi",
    "euler": "the digits of e",
    "sqrt2": "the digits of the square root of 2",
    "phi": "the digits of phi, the golden ratio",
    "primes": "the primes in order",
    "squares": "the squares in order",
    "fibonacci numbers": "the Fibonacci numbers in order",
    "powers of 2": "the powers of 2 in order",
}
_CONSECUTIVE_PHRASES: Final = {"fibonacci numbers": "Fibonacci numbers"}


def clause_sentence(clause: int) -> str:
    """A clause in plain English, without a capital or a stop."""
    feature, pattern = codes.feature_in(clause), codes.pattern_in(clause)
    word = codes.VALUE_NAMES[codes.value_in(clause)]
    said = _pattern_sentence(feature, pattern, word)
    return f"{said}, read backward" if codes.direction_in(clause) else said


def law_sentence(law: Iterable[int]) -> str:
    """A whole law in plain English."""
    return join_words([clause_sentence(clause) for clause in law])


def _pattern_sentence(feature: int, pattern: int, word: str) -> str:
    subject = _PALINDROME_SUBJECTS.get(feature, f"the {_FEATURE_PLURALS[feature]}")
    those, each = f"the {_FEATURE_PLURALS[feature]}", f"every {_FEATURE_SUBJECTS[feature]}"
    if pattern == codes.IS:
        return f"{each} {_value_phrase(word)}"
    if pattern == codes.ALTERNATES:
        return _alternation_sentence(feature, word)
    if pattern == codes.FOLLOWS:
        is_in_pairs = feature == codes.NUMBER and word in ("pi", "euler", "sqrt2", "phi")
        by = ", two by two" if is_in_pairs else ""
        return f"{those} are {_SEQUENCE_PHRASES[word]}{by}"
    return {
        codes.PALINDROME: f"{subject} read the same from both ends",
        codes.NEVER_FALLS: f"{those} never fall",
        codes.NEVER_RISES: f"{those} never rise",
        codes.CYCLES: f"{_CYCLE_NUMBERS.get(word)} {_FEATURE_PLURALS[feature]} take turns",
        codes.PAIRS: f"{those} come in pairs",
        codes.ADDS_TO: f"neighbouring {_FEATURE_PLURALS[feature]} add up to {word}",
        codes.PEAKS: f"{those} rise and then fall",
        codes.DIPS: f"{those} fall and then rise",
        codes.DOUBLES: f"{each} is twice the one before",
        codes.SUM_OF_TWO: f"{each} is the sum of the two before",
        codes.CONSECUTIVE: f"{those} are consecutive {_CONSECUTIVE_PHRASES.get(word, word)}",
        codes.STARTS: f"{those} start with {word}",
        codes.RISES: f"{those} rise",
        codes.FALLS: f"{those} fall",
        codes.RISES_BY: f"{those} rise by {word}",
        codes.FALLS_BY: f"{those} fall by {word}",
        codes.WORD: "the letters spell an English word",
    }[pattern]


def _value_phrase(word: str) -> str:
    if word in _LINK_PHRASES:
        return f"equals {_LINK_PHRASES[word]}"
    if word.startswith("multiple"):
        return f"is a {word}"
    return f"is {_VALUE_PHRASES.get(word, word)}"


def _alternation_sentence(feature: int, word: str) -> str:
    plural = _FEATURE_PLURALS[feature]
    if word == "parity":
        return f"the {plural} are even and odd in turn"
    if word:
        return f"{_PROPERTY_PLURALS[word]} and other {plural} alternate"
    return f"{_ALTERNATION_SUBJECTS.get(feature, f'two {plural}')} alternate"


def claim_refusal(
    line: vec[i64],
    law: vec[i64],
    clause: int,
    wilds: vec[i64],
    language: Language = FIRST_LANGUAGE,
) -> tuple[str, str]:
    """Why a clause may not be added to the law of a line: a code and a sentence."""
    if not language.has_clause(clause):
        return "unspeakable", unknown_clause_sentence(clause, language)
    said = clause_sentence(clause)
    if clause in list(law):  # R13
        is_word = codes.pattern_in(clause) == codes.WORD
        reason = ": a longer word is no narrower law" if is_word else ""
        return "implied", f"The law has it already that {said}{reason}."
    if not can_be_said(law, clause, language):
        return "no-course", _start_sentence(law, clause, language)
    if not holds_with_law(line, law, clause, wilds):
        return "broken", _broken_sentence(line, law, clause, said)
    if adds_nothing(law, clause, language):  # R12
        return "implied", f"It follows from the law already that {said}."
    return "allowed", f"It may be said that {said}."


def _start_sentence(law: vec[i64], clause: int, language: Language) -> str:
    """Why a start may not be added."""  # R19
    if language.is_narrow and any(codes.pattern_in(one) == codes.STARTS for one in law):
        return "The law names a start already, and it has one at most."
    feature = codes.FEATURE_NAMES[codes.feature_in(clause)]
    way = "" if language.is_narrow else " in that direction"
    return (
        "A start can be added to a law that says how the line goes on from there: "
        f"first let {feature} rise or fall{way}."
    )


def _broken_sentence(line: vec[i64], law: vec[i64], clause: int, said: str) -> str:
    if codes.pattern_in(clause) == codes.IS:
        for card in line:
            if not is_passed_by_all(clause, card_set(vec[i64]([card]))):
                return f"It is not so that {said}: look at {CARD_CODES[card]}."
    shown = " ".join(CARD_CODES[card] for card in line)
    return f"It is not so that {said}{' besides' if len(law) else ''} ({shown})."


def unknown_clause_sentence(clause: int, language: Language = FIRST_LANGUAGE) -> str:
    """Why there is no such clause."""
    said = codes.clause_fields(clause)
    feature, pattern = said["feature"], said["pattern"]
    known = map(codes.clause_fields, language.clauses)
    alike = [one for one in known if one["feature"] == feature]
    patterns = list(dict.fromkeys(one["pattern"] for one in alike))
    if pattern not in patterns:
        return f"{feature} cannot be said to be {pattern}; it can: {', '.join(patterns)}."
    values = list(dict.fromkeys(one["value"] for one in alike if one["pattern"] == pattern))
    if said["value"] not in values:
        listed = ", ".join(values) if len(values) <= 40 else f"{', '.join(values[:6])}, …"
        given = said["value"] or "nothing"
        return f"After {feature} {pattern} comes {listed or 'no value'}, not {given}."
    if bit(codes.pattern_in(clause)) & codes.MONOTONE_PATTERNS != 0:
        other = "falls" if pattern == "rises" else "rises"
        return f"Say that {feature} {other} instead: the direction is forward."
    return f"{feature} {pattern} is the same from both ends: its direction is forward."
