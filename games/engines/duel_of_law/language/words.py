"""How are clauses said? As sentences, as JSON and as short text that can be read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CODES
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.catalogue import CATALOGUE, is_clause
from games.engines.duel_of_law.language.claiming import (
    holds_also,
    may_be_said,
)
from games.engines.duel_of_law.language.implying import implied
from games.engines.duel_of_law.language.names import (
    DIRECTION_NAMES,
    FEATURE_NAMES,
    PATTERN_NAMES,
    VALUE_NAMES,
    clause_of,
)
from games.engines.duel_of_law.language.scanning import allows_all, set_of

BACKWARD: Final = "backward"
AND: Final = " & "  # between the clauses of a law

_PLURALS: Final = (
    *("colours", "suits", "shades", "dice suits", "poker suits", "poker colours", "ranks"),
    *("kinds", "numbers", "letters", "letters", "letter values"),
)
_SUBJECTS: Final = {  # of which every single one is something
    names.COLOUR: "card",
    names.SHADE: "card",
    names.FACE: "card",
    names.POKER: "poker suit",
    names.POKER_COLOUR: "poker suit",
    names.VOWEL: "letter",
}
_IN_TURN: Final = {
    names.SHADE: "dark and light cards alternate",
    names.POKER_COLOUR: "black and red poker suits alternate",
    names.FACE: "face cards and number cards alternate",
    names.VOWEL: "vowels and consonants alternate",
}
_FROM_BOTH_ENDS: Final = {
    names.POKER_COLOUR: "black and red poker suits",
    names.FACE: "face cards and number cards",
    names.VOWEL: "vowels and consonants",
}
_ARTICLES: Final = {
    "square": "a square",
    "fibonacci": "a Fibonacci number",
    "power of 2": "a power of 2",
    "vowel": "a vowel",
    "consonant": "a consonant",
    "face": "a face card",
    "number": "a number card",
}
_SEQUENCES: Final = {
    "pi": "the digits of pi",
    "euler": "the digits of e",
    "sqrt2": "the digits of the square root of 2",
    "phi": "the digits of phi, the golden ratio",
    "primes": "the primes in order",
    "squares": "the squares in order",
    "fibonacci numbers": "the Fibonacci numbers in order",
    "powers of 2": "the powers of 2 in order",
}


# -- sentences ------------------------------------------------------------------------------------


def sentence(clause: int) -> str:
    """A clause in plain English, without a capital or a stop."""
    feature, pattern = names.feature_in(clause), names.pattern_in(clause)
    word = VALUE_NAMES[names.value_in(clause)]
    said = _is(feature, word) if pattern == names.IS else _runs(feature, pattern, word)
    return f"{said}, read backward" if names.direction_in(clause) else said


def law_sentence(law: Iterable[int]) -> str:
    """A whole law in plain English."""
    return joined([sentence(clause) for clause in law])


def joined(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _is(feature: int, word: str) -> str:
    subject = _SUBJECTS.get(feature, _PLURALS[feature].removesuffix("s"))
    article = f"a {word}" if word.startswith("multiple") else _ARTICLES.get(word, word)
    return f"every {subject} is {article}"


def _runs(feature: int, pattern: int, word: str) -> str:
    those = f"the {_PLURALS[feature]}"
    if pattern == names.ALTERNATES:
        if word:
            return f"{those} are even and odd in turn"
        return _IN_TURN.get(feature, f"two {_PLURALS[feature]} alternate")
    if pattern == names.PALINDROME:
        return f"{_FROM_BOTH_ENDS.get(feature, those)} read the same from both ends"
    if pattern == names.FOLLOWS:
        is_in_pairs = feature == names.NUMBER and word in ("pi", "euler", "sqrt2", "phi")
        by = ", two by two" if is_in_pairs else ""
        return f"{those} are {_SEQUENCES[word]}{by}"
    return {
        names.STARTS: f"{those} start with {word}",
        names.RISES: f"{those} rise",
        names.FALLS: f"{those} fall",
        names.RISES_BY: f"{those} rise by {word}",
        names.FALLS_BY: f"{those} fall by {word}",
        names.WORD: "the letters spell an English word",
    }[pattern]


# -- JSON and text --------------------------------------------------------------------------------


def to_json(clause: int) -> dict[str, str]:
    """A clause as JSON has it: the fields of a claim."""
    return {
        "feature": FEATURE_NAMES[names.feature_in(clause)],
        "pattern": PATTERN_NAMES[names.pattern_in(clause)],
        "value": VALUE_NAMES[names.value_in(clause)],
        "direction": DIRECTION_NAMES[names.direction_in(clause)],
    }


def from_json(document: Mapping[str, Any]) -> int:
    """The clause of such a document; ValueError or KeyError if it is none."""
    clause = clause_of(
        FEATURE_NAMES.index(document["feature"]),
        PATTERN_NAMES.index(document["pattern"]),
        VALUE_NAMES.index(document.get("value", "")),
        DIRECTION_NAMES.index(document.get("direction", "forward")),
    )
    if not is_clause(clause):
        raise ValueError(unsaid(clause))
    return int(clause)


def written(clause: int) -> str:
    """A clause as short text: "number rises_by 2", "letter word backward"."""
    said = to_json(clause)
    parts = [said["feature"], said["pattern"], said["value"]]
    parts.append(BACKWARD if names.direction_in(clause) else "")
    return " ".join(part for part in parts if part)


def law_written(law: Iterable[int]) -> str:
    """A law as short text."""
    return AND.join(written(clause) for clause in law)


# -- refusals -------------------------------------------------------------------------------------


def why_not(line: vec[i64], law: vec[i64], clause: int, wilds: vec[i64]) -> tuple[str, str]:
    """Why a clause may not be added to the law of a line: a code and a sentence."""
    if not is_clause(clause):
        return "unspeakable", unsaid(clause)
    said = sentence(clause)
    if clause in list(law) and names.pattern_in(clause) == names.WORD:  # R13
        return "implied", f"The law has it already that {said}: a longer word is no narrower law."
    if clause in list(law):
        return "implied", f"The law has it already that {said}."
    if not may_be_said(law, clause):
        feature = FEATURE_NAMES[names.feature_in(clause)]
        return "no-course", (
            "A start can be added to a law that says how the line goes on from there: "
            f"first let {feature} rise or fall in that direction."
        )
    if not holds_also(line, law, clause, wilds):
        return "broken", _broken(line, law, clause, said)
    if implied(law, clause):  # R12
        return "implied", f"It follows from the law already that {said}."
    return "allowed", f"It may be said that {said}."


def _broken(line: vec[i64], law: vec[i64], clause: int, said: str) -> str:
    if names.pattern_in(clause) == names.IS:
        for card in line:
            if not allows_all(clause, set_of(vec[i64]([card]))):
                return f"It is not so that {said}: look at {CODES[card]}."
    shown = " ".join(CODES[card] for card in line)
    return f"It is not so that {said}{' besides' if len(law) else ''} ({shown})."


def unsaid(clause: int) -> str:
    """Why there is no such clause."""
    said = to_json(clause)
    feature, pattern = said["feature"], said["pattern"]
    alike = [other for other in CATALOGUE if names.feature_in(other) == names.feature_in(clause)]
    patterns = list(dict.fromkeys(to_json(other)["pattern"] for other in alike))
    if pattern not in patterns:
        return f"{feature} cannot be said to be {pattern}; it can: {', '.join(patterns)}."
    alike = [other for other in alike if names.pattern_in(other) == names.pattern_in(clause)]
    values = list(dict.fromkeys(to_json(other)["value"] for other in alike))
    if said["value"] not in values:
        told = ", ".join(values) if len(values) <= 40 else f"{', '.join(values[:6])}, …"
        given = said["value"] or "nothing"
        return f"After {feature} {pattern} comes {told or 'no value'}, not {given}."
    return f"{feature} {pattern} is the same from both ends: its direction is forward."
