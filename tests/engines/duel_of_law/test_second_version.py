"""Version 2: the end, the narrower language, and taking back the last card."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.actions import (
    DrawSix,
    Finish,
    More,
    Pass,
    Place,
    SaidClaim,
    SecondClaim,
    TakeBack,
    Undo,
)
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.laws.claimable_clauses import adds_nothing, can_be_said
from tabularium_engines.duel_of_law.laws.clause_text import claim_refusal
from tabularium_engines.duel_of_law.laws.law_language import SECOND_LANGUAGE
from tabularium_engines.duel_of_law.laws.spoken_law_text import clause_said
from tabularium_engines.duel_of_law.laws.word_parts import can_become_word
from tabularium_engines.duel_of_law.view import rulings_of
from tests.engines.duel_of_law.automaton import words
from tests.engines.duel_of_law.law_parser import parse_clause
from tests.engines.duel_of_law.lines import WILDS, law, line, word_cards
from tests.engines.duel_of_law.tables import (
    RED,
    SECOND,
    do,
    legal_kinds,
    legal_spots,
    place,
    refusal_code,
    table,
    view_of,
)

RULINGS = rulings_of(SecondOptions())


@pytest.mark.parametrize("text", ["letter_value is power of 2", "dice is fibonacci"])
def test_R45_a_property_of_more_than_half_of_the_deck_is_no_clause(text: str) -> None:
    assert not SECOND_LANGUAGE.has_clause(parse_clause(text))


@pytest.mark.parametrize("text", ["suit is even", "vowel is vowel", "face is number"])
def test_R45_half_of_the_deck_and_printed_classes_are_clauses(text: str) -> None:
    assert SECOND_LANGUAGE.has_clause(parse_clause(text))


@pytest.mark.parametrize(
    ("text", "is_clause"),
    [
        ("shade palindrome", False),
        ("letter palindrome", True),
        ("number falls backward", False),
        ("number falls", True),
    ],
)
def test_R46_R47_the_language_has_the_palindromes_and_courses_of_version_2(
    text: str, is_clause: bool
) -> None:
    assert SECOND_LANGUAGE.has_clause(parse_clause(text)) == is_clause


def test_R19_a_law_has_at_most_one_start() -> None:
    start = parse_clause("number starts 5")
    assert can_be_said(law("number rises"), start, SECOND_LANGUAGE)
    assert not can_be_said(law("number rises & rank rises & rank starts 5"), start, SECOND_LANGUAGE)


@pytest.mark.parametrize("text", ["number rises", "rank rises_by 1", "rank alternates parity"])
def test_R12_no_law_that_counts_is_narrowed_to_number_cards(text: str) -> None:
    assert adds_nothing(law(text), parse_clause("face is number"), SECOND_LANGUAGE)


def test_R12_ranks_that_alternate_are_narrowed_to_number_cards() -> None:
    clause = parse_clause("face is number")
    assert not adds_nothing(law("rank alternates"), clause, SECOND_LANGUAGE)


@pytest.mark.parametrize("letters", ["aah", "aund", "xq", "eeee", "ily"])
def test_R36_letters_can_become_a_word_if_one_contains_them(letters: str) -> None:
    cards = line(word_cards(letters))
    assert can_become_word(cards, 0, WILDS) == any(letters in word for word in words())


@pytest.mark.parametrize(("end", "is_over"), [("next_turn", False), ("at_once", True)])
def test_R30_the_turn_that_empties_a_hand_wins_only_where_that_is_the_reading(
    end: str, is_over: bool
) -> None:
    rulings = rulings_of(SecondOptions(end=end))  # type: ignore[arg-type]
    claims = [
        ("across", (0, 0), "red: colour is red"),
        ("across", (2, 0), "red: colour is orange"),
    ]
    grid = "00 01 02\n03 . .\n20 21 22"
    state = table(grid, ("04", "90"), claims, rulings=rulings)
    do(state, Place("04", 0, 3))
    do(state, Finish())
    assert view_of(state).is_open
    assert (state.to_act == 0) == is_over


SEQUENCE = [("across", (0, 0), "blue: rank follows primes")]


def test_R36_a_value_that_is_not_next_in_a_sequence_is_not_laid() -> None:
    state = table("02 13 25", ("47 62 68 3J", "90"), SEQUENCE, rulings=RULINGS)
    for card in ("62", "68", "3J"):
        assert not {(0, -1), (0, 3)} & legal_spots(state, card)
    assert {(0, -1), (0, 3)} <= legal_spots(state, "47")  # also as the end of a round before
    place(state, "47", (0, -1))
    assert refusal_code(state, Finish()) == "unlawful"


def test_R36_a_joker_is_any_value_of_a_sequence() -> None:
    state = table("02 13 25", ("*1 62", "90"), SEQUENCE, rulings=RULINGS)
    place(state, "*1", (0, 3))
    do(state, More())
    assert (0, 4) in legal_spots(state, "62")


def test_R36_a_face_card_is_not_laid_along_a_palindrome_of_numbers() -> None:
    claims = [("across", (0, 0), "blue: number palindrome")]
    state = table("03 14 *1", ("1J 25", "90"), claims, rulings=RULINGS)
    assert not {(0, -1), (0, 3)} & legal_spots(state, "1J")
    assert {(0, -1), (0, 3)} <= legal_spots(state, "25")


@pytest.mark.parametrize(("action", "deck"), [(DrawSix(), None), (Pass(), 0)])
def test_R30_a_turn_without_cards_ends_the_game_too(action: Any, deck: int | None) -> None:
    claims = [
        ("across", (0, 0), "red: colour is red"),
        ("across", (2, 0), "red: colour is orange"),
    ]
    grid = "00 01 02\n03 . .\n20 21 22"
    state = table(grid, ("04", "90"), claims, rulings=RULINGS, deck=deck)
    do(state, Place("04", 0, 3))
    do(state, Finish())
    assert state.turn.seat == 1
    do(state, action)
    seen = SECOND.view(state, None)
    assert (seen.ending, seen.winners) == ("lead", (RED,))


def test_R37_the_last_card_is_taken_back_alone() -> None:
    state = table("00", ("01 02 03", "90"), rulings=RULINGS)
    before = state.contents()
    do(state, Place("01", 0, 1))
    assert "undo" in legal_kinds(state)
    do(state, Undo())
    assert state.turn.taken_back == 1
    state.turn.taken_back = 0
    assert state.contents() == before


@pytest.mark.parametrize("way_back", [TakeBack(), Undo()])
def test_R37_cards_are_taken_back_twenty_times_a_turn(way_back: TakeBack | Undo) -> None:
    state = table("00", ("01 02 03", "90"), rulings=RULINGS)
    for _ in range(20):
        do(state, Place("01", 0, 1))
        assert "undo" in legal_kinds(state)
        do(state, way_back)
    do(state, Place("01", 0, 1))
    assert "undo" not in legal_kinds(state)
    assert refusal_code(state, Undo()) == "no-tries-left"
    do(state, TakeBack())
    assert legal_kinds(state) == {"draw_six"}
    with pytest.raises(IllegalAction) as refused:
        SECOND.encode(state, RED, Place("01", 0, 1))
    assert refused.value.code == "no-tries-left"
    do(state, DrawSix())
    assert state.turn.taken_back == 0


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("the numbers rise", "number rises"),
        ("the numbers rise backward", "number falls"),
        ("the letters read the same both ways", "letter palindrome"),
    ],
)
def test_laws_are_said_in_the_language_of_version_2(sentence: str, text: str) -> None:
    assert clause_said(sentence, SECOND.catalogue, None) == parse_clause(text)


def test_a_clause_that_says_too_little_is_refused_in_words_and_by_members() -> None:
    state = table("02 14", ("26", "90"), rulings=RULINGS)
    do(state, Place("26", 0, 2))
    do(state, Finish())
    with pytest.raises(IllegalAction) as said:
        SECOND.encode(state, RED, SaidClaim("dice is fibonacci"))
    with pytest.raises(IllegalAction) as given:
        SECOND.encode(state, RED, SecondClaim("dice", "is", "fibonacci"))
    assert said.value.code == "law-unknown"
    assert given.value.code == "unspeakable"
    assert "fibonacci" not in given.value.sentence.split(",")[0]


def test_R47_a_course_that_is_read_backward_is_refused_with_the_opposite_one() -> None:
    clause, cards = parse_clause("number rises backward"), line("19 07 03")
    code, sentence = claim_refusal(cards, law(""), clause, WILDS, SECOND_LANGUAGE)
    assert (code, "falls instead" in sentence) == ("unspeakable", True)
    starts = law("number rises & rank rises & rank starts 3")
    second = parse_clause("number starts 3")
    told = claim_refusal(line("03 07 19"), starts, second, WILDS, SECOND_LANGUAGE)
    assert told[0] == "no-course"
    assert "already" in told[1]


@pytest.mark.parametrize(("laws", "is_listed"), [("listed", True), ("said", False)])
def test_R48_laws_that_are_said_are_not_listed(laws: str, is_listed: bool) -> None:
    options = SecondOptions(laws=laws)  # type: ignore[arg-type]
    state = table("02 14", ("36", "90"), rulings=rulings_of(options))
    assert SECOND.offered_actions(state, RED) == state.legal_actions(RED)
    do(state, Place("36", 0, 2))
    do(state, Finish())
    legal, offered = state.legal_actions(RED), SECOND.offered_actions(state, RED)
    kinds = {type(SECOND.decode(state, RED, action)) for action in offered}
    assert kinds == ({SecondClaim, TakeBack} if is_listed else {TakeBack})
    assert set(offered) <= set(legal)
    assert SECOND.view(state, RED).options == options
    said = SECOND.encode(state, RED, SaidClaim("every rank is even"))
    assert said in legal
    assert SECOND.encode(state, RED, SecondClaim("rank", "is", "even")) == said


def test_random_games_end_and_views_show_the_options() -> None:
    for seed in range(3):
        rng = FastRng(seed)
        state = SECOND.start(SecondOptions(end="at_once"), 2, rng)
        assert SECOND.imagine(SECOND.view(state, 0), rng).turn.rulings.opens_at_once
        while state.to_act:
            seat = SECOND.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)
        assert SECOND.result(state)
