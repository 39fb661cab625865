"""The parser of laws as short text, for the tests: "rank is even & number rises"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE, is_clause
from tabularium_engines.duel_of_law.laws.clause_codes import clause_of_fields
from tabularium_engines.duel_of_law.laws.clause_text import unknown_clause_sentence
from tabularium_engines.duel_of_law.laws.spoken_law_text import short_text

clause_to_text: Final = short_text
CLAUSE_SEPARATOR: Final = " & "  # between the clauses of a law
_CLAUSES_BY_TEXT: Final = {clause_to_text(clause): int(clause) for clause in CATALOGUE}


def parse_clause(text: str) -> int:
    """The clause of a text as `clause_to_text` writes it; raises KeyError if it has none."""
    return _CLAUSES_BY_TEXT[text]


def parse_law(text: str) -> list[int]:
    """The clauses of a law as `law_to_text` writes it."""
    return [parse_clause(clause) for clause in text.split(CLAUSE_SEPARATOR)] if text else []


def law_to_text(law: Iterable[int]) -> str:
    """A law as short text."""
    return CLAUSE_SEPARATOR.join(map(clause_to_text, law))


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
