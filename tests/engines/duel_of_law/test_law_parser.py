"""The language of laws: valid and invalid clauses, and their round trips through text and JSON."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law import ENGINE
from tabularium_engines.duel_of_law.cards import NUMBER_BY_CARD, RANK_BY_CARD, SUIT_BY_CARD
from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE, is_clause
from tabularium_engines.duel_of_law.laws.clause_codes import (
    LASTING_PATTERNS,
    VALUE_NAMES,
    clause_fields,
    clauses_with,
    encode_clause,
)
from tabularium_engines.duel_of_law.laws.clause_text import (
    claim_refusal,
    clause_sentence,
    law_sentence,
    unknown_clause_sentence,
)
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, SECOND_LANGUAGE
from tabularium_engines.duel_of_law.tableau import Branch, merge_branches
from tabularium_engines.installed.rule_books import rule_book
from tests.engines.duel_of_law.law_parser import (
    clause_from_json,
    clause_to_text,
    law_to_text,
    parse_clause,
    parse_law,
)
from tests.engines.duel_of_law.lines import (
    WILDS,
    is_claimable,
    is_lawful,
    law,
    legal_claim_texts,
    line,
)


def test_R3_each_clause_has_its_own_number_sentence_and_text() -> None:
    assert len(FIRST_LANGUAGE.clauses) == 876
    assert f" {len(SECOND_LANGUAGE.clauses)}.\n" in rule_book(ENGINE)
    size = len(CATALOGUE)
    assert len(set(CATALOGUE)) == size
    assert len({clause_sentence(clause) for clause in CATALOGUE}) == size
    assert len({clause_to_text(clause) for clause in CATALOGUE}) == size
    assert all(clause < 1 << 25 for clause in CATALOGUE)


def test_R3_every_clause_survives_a_round_trip_through_text_and_JSON() -> None:
    for clause in CATALOGUE:
        assert parse_clause(clause_to_text(clause)) == clause
        assert clause_from_json(clause_fields(clause)) == clause


def test_R3_a_law_is_written_clause_by_clause() -> None:
    text = "rank is even & number rises backward & letter word"
    assert law_to_text(parse_law(text)) == text
    assert len(parse_law(text)) == 3
    assert parse_law("") == []
    assert law_sentence(parse_law(text)) == (
        "every rank is even, the numbers rise, read backward and the letters spell an English word"
    )


def test_value_names_are_distinct() -> None:
    assert len(set(VALUE_NAMES)) == len(VALUE_NAMES) <= 256


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("colour is dark green", "every card is dark green"),
        ("dice is 2", "every dice suit is 2"),
        ("rank is J", "every rank is J"),
        ("letter is E", "every letter is E"),
        ("poker_colour is black", "every poker suit is black"),
        ("vowel is vowel", "every letter is a vowel"),
        ("number is multiple of 7", "every number is a multiple of 7"),
        ("dice rises", "the dice suits rise"),
        ("number rises_by 11", "the numbers rise by 11"),
        ("rank starts 1 backward", "the ranks start with 1, read backward"),
        ("shade alternates", "dark and light cards alternate"),
        ("letter palindrome", "the letters read the same from both ends"),
        ("number follows pi", "the numbers are the digits of pi, two by two"),
        ("rank alternates parity", "the ranks are even and odd in turn"),
    ],
)
def test_a_clause_has_a_sentence(text: str, sentence: str) -> None:
    assert clause_sentence(parse_clause(text)) == sentence


def test_R4_other_numbers_are_no_clauses() -> None:
    assert not is_clause(encode_clause(4, 2, 194, 0))
    assert unknown_clause_sentence(int(encode_clause(4, 2, 194, 0))).startswith(
        "poker cannot be said to be rises"
    )
    assert not is_clause(0x7FFFFFFF)
    with pytest.raises(ValueError, match="comes"):
        clause_from_json({"feature": "dice", "pattern": "is", "value": "9"})


def test_a_refused_claim_has_a_reason() -> None:
    cards, odd = line("07 19 23"), law("rank is odd")
    assert claim_refusal(cards, odd, parse_clause("rank is even"), WILDS) == (
        "broken",
        "It is not so that every rank is even: look at 07.",
    )
    assert claim_refusal(cards, odd, parse_clause("number falls"), WILDS)[0] == "broken"
    assert claim_refusal(cards, odd, parse_clause("number is odd"), WILDS)[0] == "implied"
    assert claim_refusal(cards, odd, parse_clause("rank is odd"), WILDS)[0] == "implied"
    assert claim_refusal(cards, odd, parse_clause("rank starts 7"), WILDS)[0] == "no-course"
    assert claim_refusal(cards, odd, int(encode_clause(4, 2, 194, 0)), WILDS)[0] == "unspeakable"
    assert claim_refusal(cards, odd, parse_clause("number rises"), WILDS)[0] == "allowed"
    word = law("letter word")
    assert (
        "longer word"
        in claim_refusal(line("06 75 60"), word, parse_clause("letter word"), WILDS)[1]
    )


def test_R43_a_class_of_a_single_value_is_expressed_by_the_value() -> None:
    with pytest.raises(KeyError):
        parse_clause("dice is multiple of 4")
    assert is_clause(parse_clause("dice is 4"))
    assert is_lawful("00 10 20", "suit rises_by 1")
    with pytest.raises(KeyError):
        parse_clause("suit rises_by 11")
    assert is_lawful("20 10 00", "suit falls_by 1")


def test_R21_rank_and_number_are_different_features() -> None:
    assert "rank is prime" in legal_claim_texts("02 13 45")
    assert "number is prime" not in legal_claim_texts("02 13 45")
    assert (SUIT_BY_CARD[58], RANK_BY_CARD[58], NUMBER_BY_CARD[58]) == (4, 6, 46)


def test_R20_face_cards_break_every_numeric_clause() -> None:
    for clause in CATALOGUE:
        document = clause_fields(clause)
        if is_claimable("0J 1Q 2K", clause_to_text(clause)) and document["feature"] in (
            "rank",
            "number",
        ):
            assert document["pattern"] in ("alternates", "palindrome")
    assert is_lawful("0J 1J 2J", "rank is J")
    assert is_lawful("0J 1Q 2K", "face is face")
    assert is_lawful("0J 13 2J", "rank palindrome & rank alternates")
    assert not is_lawful("0J 13 2J", "rank alternates parity")


def test_lasting_clauses_are_those_that_no_further_card_can_restore() -> None:
    text = "rank is even & letter word & letter palindrome & number follows pi & dice rises"
    assert law_to_text(clauses_with(LASTING_PATTERNS, law(text))) == "rank is even & dice rises"


def test_laws_are_joined_with_each_clause_once() -> None:
    laws = law("rank is even & dice rises"), law("colour is red & rank is even")
    older, younger = (Branch(0, 0, 3, each, vec[i64]([seat] * 2)) for seat, each in enumerate(laws))
    joined_law = merge_branches(older, younger).law
    assert law_to_text(joined_law) == "dice rises & colour is red & rank is even"
