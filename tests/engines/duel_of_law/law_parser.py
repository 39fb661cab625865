"""The parser of laws in written form: turns short text into the clauses of a law, and explains why
another text is no law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.engines.duel_of_law.laws.clause_catalogue import is_clause
from games.engines.duel_of_law.laws.clause_codes import (
    FEATURE_NAMES,
    PATTERN_NAMES,
    VALUE_NAMES,
    clause_fields,
    clause_of_fields,
    direction_in,
)
from games.engines.duel_of_law.laws.clause_text import (
    unknown_clause_sentence,
)

BACKWARD_WORD: Final = "backward"
CLAUSE_SEPARATOR: Final = " & "  # between the clauses of a law


class UnspeakableLaw(ValueError):
    """A text that no law can say: a stable code, and a sentence with the reason."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


# R4: meanings that the language has no words for, by the words that people try.
_FORBIDDEN_PHRASES: Final = (
    ("or", r"\b(?:or|either)\b|\|", 'A law has no "or": that would be a list of cards.'),
    (
        "negative",
        r"\b(?:not|no|non|never|none|without|except|excluding|but)\b|!",
        "A law says what cards are, never what they are not: that is a list of all the others.",
    ),
    (
        "different",
        r"\b(?:different|distinct|unique|repeat\w*|twice)\b",
        "That cards differ says what they are not, and a law never does.",
    ),
    (
        "inequality",
        r"[<>≤≥≠]|\b(?:greater|less|more|fewer|above|below|over|under|between|at (?:least|most))\b",
        "A law has no inequalities: they are lists of all the values on one side.",
    ),
    (
        "outside",
        r"\b(?:row|column|table|player|seat|hand|turn|position|place|token|owner|crossing)s?\b",
        "A law speaks of the features of its cards and of nothing else.",
    ),
    ("list", r",|;|\band\b", "A law is no list: one clause says one thing of one feature."),
)


def parse_clause(text: str) -> int:
    """The clause of a text as `clause_to_text` writes it; raises UnspeakableLaw if it has none."""
    _refuse_forbidden(text)
    words = text.lower().split()
    if len(words) < 2:
        raise UnspeakableLaw("too-short", 'Say a feature and a pattern, as in "rank is even".')
    feature, pattern, *rest = words
    direction = "forward"
    if rest and rest[-1] == BACKWARD_WORD:
        direction = rest.pop()
    if feature not in FEATURE_NAMES:
        known = ", ".join(FEATURE_NAMES)
        raise UnspeakableLaw("unknown-feature", f"Cards have no {feature}; they have: {known}.")
    if pattern not in PATTERN_NAMES:
        known = ", ".join(PATTERN_NAMES)
        raise UnspeakableLaw(
            "unknown-pattern", f"There is no pattern {pattern}; there are: {known}."
        )
    value = _parse_value(" ".join(rest), pattern)
    said = {"feature": feature, "pattern": pattern, "value": value, "direction": direction}
    try:
        return clause_from_json(said)
    except ValueError as refused:
        raise UnspeakableLaw("unknown-clause", str(refused)) from refused


def parse_law(text: str) -> list[int]:
    """The clauses of a law as `law_to_text` writes it."""
    return [parse_clause(clause) for clause in text.split(CLAUSE_SEPARATOR)] if text else []


def clause_to_text(clause: int) -> str:
    """A clause as short text: "number rises_by 2", "letter word backward"."""
    said = clause_fields(clause)
    parts = [said["feature"], said["pattern"], said["value"]]
    parts.append(BACKWARD_WORD if direction_in(clause) else "")
    return " ".join(part for part in parts if part)


def law_to_text(law: Iterable[int]) -> str:
    """A law as short text."""
    return CLAUSE_SEPARATOR.join(clause_to_text(clause) for clause in law)


def clause_from_json(document: Mapping[str, Any]) -> int:
    """The clause of such a document; raises ValueError or KeyError if there is none."""
    clause = clause_of_fields(
        document["feature"],
        document["pattern"],
        document.get("value", ""),
        document.get("direction", "forward"),
    )
    if not is_clause(clause):
        raise ValueError(unknown_clause_sentence(clause))
    return int(clause)


def _refuse_forbidden(text: str) -> None:
    for code, pattern, sentence in _FORBIDDEN_PHRASES:
        if re.search(pattern, text, re.IGNORECASE):
            raise UnspeakableLaw(code, sentence)


def _parse_value(text: str, pattern: str) -> str:
    """The value's own spelling: letters and faces are upper case."""
    if len(text) == 1 and text.isalpha() and pattern != "follows":
        return text.upper()
    if text not in VALUE_NAMES:
        sentence = (
            f"{text} is no value: a law names none but numbers, letters and features of cards."
        )
        raise UnspeakableLaw("unknown-value", sentence)
    return text
