"""The clauses that version 2 adds: values that never fall, cycles, pairs, sums, peaks, features
that are equal, and sequences from anywhere."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.laws.card_features import print_of
from tabularium_engines.duel_of_law.laws.claimable_clauses import adds_nothing, legal_claims
from tabularium_engines.duel_of_law.laws.joker_solver import holds, settle_jokers
from tabularium_engines.duel_of_law.laws.law_language import (
    FIRST_LANGUAGE,
    MOST_CARDS_OF_A_PROPERTY,
    SECOND_LANGUAGE,
    cards_allowed,
)
from tabularium_engines.duel_of_law.laws.possible_joker_values import restrict_joker
from tabularium_engines.duel_of_law.laws.spoken_law_text import short_text
from tabularium_engines.duel_of_law.view import rulings_of
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import WILDS, is_claimable, law, line, word_cards
from tests.engines.duel_of_law.tables import BLUE, finish, legal_spots, place, refusal_code, table

RULINGS = rulings_of(SecondOptions())
HOLDING = [
    ("11 21 32 43", "rank never_falls"),
    ("36 14 24 12", "rank never_rises"),
    ("00 20 40 10 30", "dice cycles 3"),
    ("01 11 21 31 41", "poker cycles 4"),
    ("00 10 45 55", "rank pairs"),
    ("0J 1J 22 32", "rank pairs"),
    ("01 22 43", "rank is dice"),
    ("22 33 99", "rank is suit"),
    ("01 113 02", "dice adds_to 7"),
    ("03 17 53 67", "rank adds_to 10"),
    ("03 17 59 56 02", "rank peaks"),
    ("09 13 05", "rank dips"),
    ("01 12 24 38", "rank doubles"),
    ("38 24 12 01", "rank doubles backward"),
    ("02 05 07 12", "number sum_of_two"),
    ("12 07 05 02", "number sum_of_two backward"),
    ("05 07 11 13", "number consecutive primes"),
    ("113 02 03", "number consecutive primes"),
    ("02 14 23 31", "rank alternates square"),
    ("01 08 27", "number is cube"),
    ("17 34 51", "number is multiple of 17"),
]
BROKEN = [
    ("13 21 12", "rank never_falls"),
    ("19 00 12", "rank never_falls"),  # it does not begin again
    ("1J 2Q 3K", "rank never_falls"),
    ("00 20 40", "dice cycles 3"),  # nor has the cycle
    ("00 20 01 41", "dice cycles 3"),
    ("00 10 45", "rank pairs"),  # one is missing
    ("00 10 20 30", "rank pairs"),
    ("00 22 43", "rank is dice"),
    ("0J 22 43", "rank is suit"),
    ("0J 17 53", "rank adds_to 10"),
    ("03 17 59", "rank peaks"),
    ("03 17 07 02", "rank peaks"),
    ("09 13 05 01", "rank dips"),
    ("01 12 25", "rank doubles"),
    ("00 02 0J", "rank sum_of_two"),
    ("05 11 13", "number consecutive primes"),
]


@pytest.mark.parametrize(("cards", "text"), HOLDING)
def test_a_clause_holds_in_version_2_alone(cards: str, text: str) -> None:
    assert is_claimable(cards, text, language=SECOND_LANGUAGE)
    assert not is_claimable(cards, text, language=FIRST_LANGUAGE)


@pytest.mark.parametrize(("cards", "text"), BROKEN)
def test_a_clause_does_not_hold(cards: str, text: str) -> None:
    assert not holds(line(cards), law(text), WILDS)
    assert not is_claimable(cards, text, language=SECOND_LANGUAGE)


@pytest.mark.parametrize(
    "text",
    [
        "number never_falls",  # of cards that all differ
        "dice never_falls",  # any hand can be laid so
        "letter peaks",
        "shade pairs",
        "number is composite",
        "suit alternates prime",
        "rank alternates multiple of 4",
        "shade cycles 3",
    ],
)
def test_R45_no_clause_says_too_little(text: str) -> None:
    said = {short_text(clause) for clause in SECOND_LANGUAGE.clauses}
    assert text not in said
    assert "rank never_falls" in said


def test_R45_features_are_equal_on_half_of_the_deck_at_most() -> None:
    links = [text for text in map(short_text, SECOND_LANGUAGE.clauses) if text in LINKS]
    assert links == LINKS
    for text in LINKS:
        assert 1 < cards_allowed(parse_clause(text)) <= MOST_CARDS_OF_A_PROPERTY


LINKS = [
    *("suit is dice", "rank is dice", "rank is suit", "rank is letter_value"),
    *("letter_value is dice", "letter_value is suit"),
]
LINKS.sort(key=parse_clause)


@pytest.mark.parametrize(
    ("text", "clause", "is_new"),
    [
        ("rank rises", "rank never_falls", False),
        ("rank rises_by 1", "rank never_falls", False),
        ("rank falls", "rank never_falls", True),
        ("dice rises", "rank never_falls", True),
        ("rank never_falls", "rank rises", True),
        ("rank falls_by 2", "rank never_rises", False),
    ],
)
def test_R52_values_that_rise_never_fall(text: str, clause: str, is_new: bool) -> None:
    assert adds_nothing(law(text), parse_clause(clause), SECOND_LANGUAGE) != is_new


@pytest.mark.parametrize(
    ("text", "clause", "is_new"),
    [
        ("rank adds_to 9", "rank alternates", False),  # 9 is odd
        ("rank adds_to 10", "rank alternates", True),  # 5 and 5
        ("rank alternates", "rank adds_to 10", True),
        ("rank is suit", "face is number", False),
        ("rank is suit", "number is multiple of 11", False),
        ("number is multiple of 11", "rank is suit", True),  # 110
        ("number follows primes", "number consecutive primes", False),
        ("number consecutive primes", "number is prime", False),
        ("number consecutive primes", "number follows primes", True),
        ("colour pairs", "dice pairs", True),
        ("colour cycles 3", "dice cycles 3", True),
        ("suit rises_by 4", "dice cycles 3", False),
        ("rank doubles", "rank sum_of_two", True),
        ("letter cycles 4", "letter alternates", True),
    ],
)
def test_R51_clauses_are_judged_on_lines_that_go_on(text: str, clause: str, is_new: bool) -> None:
    assert adds_nothing(law(text), parse_clause(clause), SECOND_LANGUAGE) != is_new


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("109 113 02 03", "number consecutive primes"),
        ("04 09 01 14", "rank consecutive squares"),
        ("05 08 01 11 02", "rank consecutive fibonacci numbers"),
        ("64 01 02", "number consecutive powers of 2"),
        ("03 02 07", "rank consecutive primes backward"),
    ],
)
def test_R53_after_the_last_member_the_first_one_follows(cards: str, text: str) -> None:
    assert holds(line(cards), law(text), WILDS)


# -- jokers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "text", "joker", "values"),
    [
        ("22 *4 99", "rank is dice", "", None),
        ("01 *4 64", "rank is dice", "rank is 4", None),
        ("99 *1 22", "rank is suit", "rank is 0", "colour is red"),
        ("01 *1 21", "rank is letter_value", "rank is 1", "letter_value is 1"),
        ("22 *1 44", "rank is suit & rank is even", "rank is 0", "colour is red"),
        ("22 *2 88", "rank is suit & rank doubles", "", None),
        ("*1 22 44", "rank is suit & rank rises", "rank is 0", "colour is red"),
        ("01 *3 43", "rank is dice & suit is dice", "", None),
        ("11 *1 22", "rank is dice & rank is suit", "rank is 1", "colour is pink"),
        ("01 *2 24", "rank doubles", "rank is 2", None),
        ("02 *2 07", "number sum_of_two", "number is 5", None),
        ("05 *2 11", "number consecutive primes", "number is 7", None),
        ("01 *2 21 31 41", "poker cycles 4", "poker is hearts", None),
        ("03 *2 04", "rank peaks", "rank is 5", None),
    ],
)
def test_R50_a_joker_takes_the_values_that_the_law_needs(
    cards: str, text: str, joker: str, values: str | None
) -> None:
    laid, clauses = line(cards), law(text)
    assert holds(laid, clauses, WILDS) == bool(joker)
    if joker:
        after = settle_jokers(laid, clauses, WILDS)
        for expected in filter(None, (joker, values)):
            card = next(card for card in laid if card >= 156)
            clause = parse_clause(expected)
            assert restrict_joker(after, card, print_of(clause), vec[i64]([clause])) == after


def test_R50_a_named_joker_keeps_its_value() -> None:
    joker = line("*1")[0]
    wilds = restrict_joker(WILDS, joker, 4, law("rank is 4"))
    laid = line("22 *1 88")
    after = settle_jokers(laid, law("rank is suit"), wilds)
    assert restrict_joker(after, joker, 0, law("colour is dark green")) == after


@pytest.mark.parametrize("text", ["number peaks", "number sum_of_two", "letter cycles 6"])
def test_the_values_of_many_jokers_are_not_all_tried(text: str) -> None:
    """There are millions of millions of them: the test ends."""
    assert not holds(line("*1 *2 *3 *4 *5 00 119 00 119 00 119"), law(text), WILDS)


# -- the table -------------------------------------------------------------------------------------


def test_R36_pairs_grow_at_either_end_one_card_after_the_other() -> None:
    claims = [("across", (0, 0), "blue: rank pairs")]
    state = table("00 10 45 55", ("65 66 76 07", "90"), claims, rulings=RULINGS)
    assert (0, 4) not in legal_spots(state, "65")  # three alike
    assert {(0, 4), (0, -1)} <= legal_spots(state, "66")
    place(state, "66", (0, 4))
    assert refusal_code(state, {"type": "duel_of_law.finish"}) == "unlawful"
    place(state, "76", (0, 5))
    finish(state, "leave")
    assert state.turn.seat == BLUE


def test_R36_a_cycle_and_a_peak_break_for_good() -> None:
    claims = [("across", (0, 0), "blue: rank peaks")]
    state = table("03 17 05", ("04 06 02", "90"), claims, rulings=RULINGS)
    assert (0, 3) in legal_spots(state, "04")
    assert (0, 3) not in legal_spots(state, "06")
    assert (0, -1) in legal_spots(state, "02")


def test_every_listed_claim_is_legal_in_version_2() -> None:
    for word in ("seeds", "noon", "letter"):
        cards = line(word_cards(word))
        for clause in legal_claims(cards, law(""), WILDS, SECOND_LANGUAGE):
            assert holds(cards, vec[i64]([clause]), WILDS)
