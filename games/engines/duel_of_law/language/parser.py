"""What does a text in the language of laws say? And if it says nothing there, why not?"""

from __future__ import annotations

import re
from typing import Final

from games.engines.duel_of_law.language.names import FEATURE_NAMES, PATTERN_NAMES, VALUE_NAMES
from games.engines.duel_of_law.language.words import AND, BACKWARD, from_json


class Unspeakable(ValueError):
    """No law can say this: a stable code, and a sentence that says why."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


# R4: what the language has no words for, by the words that people try.
_FORBIDDEN: Final = (
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


def parsed(text: str) -> int:
    """The clause that a text says, as `written` writes it; Unspeakable says why there is none."""
    _forbid(text)
    words = text.lower().split()
    if len(words) < 2:
        raise Unspeakable("too-short", 'Say a feature and a pattern, as in "rank is even".')
    feature, pattern, *rest = words
    direction = "forward"
    if rest and rest[-1] == BACKWARD:
        direction = rest.pop()
    if feature not in FEATURE_NAMES:
        known = ", ".join(FEATURE_NAMES)
        raise Unspeakable("unknown-feature", f"Cards have no {feature}; they have: {known}.")
    if pattern not in PATTERN_NAMES:
        known = ", ".join(PATTERN_NAMES)
        raise Unspeakable("unknown-pattern", f"There is no pattern {pattern}; there are: {known}.")
    value = _value(" ".join(rest), pattern)
    said = {"feature": feature, "pattern": pattern, "value": value, "direction": direction}
    try:
        return from_json(said)
    except ValueError as refused:
        raise Unspeakable("unknown-clause", str(refused)) from refused


def parsed_law(text: str) -> list[int]:
    """The clauses of a law, as `law_written` writes it."""
    return [parsed(clause) for clause in text.split(AND)] if text else []


def _forbid(text: str) -> None:
    for code, pattern, sentence in _FORBIDDEN:
        if re.search(pattern, text, re.IGNORECASE):
            raise Unspeakable(code, sentence)


def _value(text: str, pattern: str) -> str:
    """The value's own spelling: letters and faces are written large."""
    if len(text) == 1 and text.isalpha() and pattern != "follows":
        return text.upper()
    if text not in VALUE_NAMES:
        sentence = (
            f"{text} is no value: a law names none but numbers, letters and features of cards."
        )
        raise Unspeakable("unknown-value", sentence)
    return text
