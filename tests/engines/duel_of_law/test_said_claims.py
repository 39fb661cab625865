"""Claims in words: the action is that of the four members, and so are its refusals."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.duel_of_law import ENGINE, game_logic
from tabularium_engines.duel_of_law.actions import Finish, Place, SaidClaim
from tabularium_engines.installed.rule_books import rule_book
from tests.engines.duel_of_law.tables import (
    BLUE,
    RED,
    branch,
    claim_action,
    clause_texts,
    do,
    refusal_code,
    table,
)

RULES = rule_book(ENGINE)
CLAIM = {"type": "duel_of_law.claim"}


def asked(cards: str = "02 14", last: str = "36") -> game_logic.DuelState:
    """A table that asks red for the law of a new branch of three cards."""
    state = table(cards, (last, "90"))
    do(state, Place(last, 0, 2))
    do(state, Finish())
    return state


def claimed(document: dict[str, Any], cards: str = "02 14", last: str = "36") -> list[str]:
    """The law of the branch after a claim."""
    state = asked(cards, last)
    do(state, document)
    return clause_texts(branch(state, "across", (0, 0)))


def refusal(state: game_logic.DuelState, action: Any, seat: int = RED) -> tuple[str, str, str]:
    """The code, the sentence and the pointer of a refusal."""
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, seat, action)
    return caught.value.code, caught.value.sentence, caught.value.pointer


def test_the_forms_in_the_rules_are_one_claim() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", RULES, re.DOTALL)
    forms = [json.loads(line) for line in block.splitlines()]
    assert len(forms) == 5
    assert {ENGINE.encode(asked(), RED, form) for form in forms} == {
        ENGINE.encode(asked(), RED, claim_action("rank is even"))
    }


@pytest.mark.parametrize(
    ("said", "law"),
    [
        ({"law": "the numbers rise"}, "number rises"),
        ({"law": "they go up"}, "number rises"),
        ({"law": "rank is even"}, "rank is even"),
        ({"feature": "number", "pattern": "rises"}, "number rises"),
        ({"feature": "rank", "pattern": "is", "value": "even"}, "rank is even"),
    ],
)
def test_a_claim_may_be_said_or_shortened(said: dict[str, str], law: str) -> None:
    assert claimed(CLAIM | said) == [law]


def test_the_line_in_question_decides_among_meanings() -> None:
    assert claimed(CLAIM | {"law": "rising"}, "60 21", "03") == ["rank rises"]
    assert claimed(CLAIM | {"law": "all the same colour"}, "40 4J", "47") == [
        "colour is dark green"
    ]


def test_values_that_are_listed_must_be_those_of_the_line_in_question() -> None:
    assert claimed(CLAIM | {"law": "3, 8, 3, 8"}, "33 18", "43") == ["rank alternates"]
    state = asked("34 19", "44")
    assert refusal_code(state, CLAIM | {"law": "3, 8, 3, 8"}) == "law-is-a-list"


def test_a_said_claim_is_refused_as_its_clause_is() -> None:
    state = asked()
    code, sentence, pointer = refusal(state, claim_action("rank is odd"))
    assert pointer == "/pattern"
    assert refusal(state, CLAIM | {"law": "odd ranks"}) == (code, sentence, "")
    assert refusal(state, SaidClaim("odd ranks")) == (code, sentence, "")


def test_R4_a_sentence_without_a_clause_is_refused_with_a_reason() -> None:
    state = asked()
    code, sentence, pointer = refusal(state, CLAIM | {"law": "spades or hearts"})
    assert (code, pointer) == ("law-has-no-or", "/law")
    assert sentence.startswith('A law has no "or"')
    named = re.findall("`(law-[a-z-]+)`", RULES)
    assert code in named
    assert {"law-unknown", "law-ambiguous", "law-has-two-clauses"} <= {*named}


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({"law": 7}, "/law"),
        ({"law": None}, "/law"),
        ({"law": ["the numbers rise"]}, "/law"),
        ({"law": "the numbers rise", "feature": "number"}, "/feature"),
        ({"laws": "the numbers rise"}, "/laws"),
        ({}, "/feature"),
    ],
)
def test_a_malformed_form_is_refused(document: dict[str, Any], pointer: str) -> None:
    code, _, where = refusal(asked(), CLAIM | document)
    assert (code, where) == ("malformed", pointer)


def test_a_sentence_out_of_turn_is_refused_and_shows_nothing_of_the_line() -> None:
    state = asked("60 21", "03")
    for law in ("the ranks rise", "the ranks fall", "rising", "primes", "all the same colour"):
        assert refusal_code(state, CLAIM | {"law": law}, BLUE) == "not-your-turn"
    before = table("01 02", ("03", "90"))
    assert refusal_code(before, CLAIM | {"law": "rising"}) == "no-question"


def test_a_said_claim_is_no_action_of_a_log() -> None:
    with pytest.raises(ValueError, match="unknown"):
        ENGINE.action_codec.int_from_text(json.dumps(CLAIM | {"law": "the numbers rise"}))


class TestTypedLaws:
    """A person at the terminal types the law when the table asks for one."""

    def test_a_sentence_is_the_claim(self) -> None:
        (wish,) = ENGINE.read_command(ENGINE.view(asked(), RED), "every rank is even")
        assert ENGINE.encode(asked(), RED, dict(wish)) == ENGINE.encode(
            asked(), RED, claim_action("rank is even")
        )

    def test_a_sentence_that_is_not_understood_is_refused(self) -> None:
        with pytest.raises(IllegalAction) as refused:
            ENGINE.read_command(ENGINE.view(asked(), RED), "all is vanity")
        assert refused.value.code == "law-unknown"

    def test_at_other_times_and_seats_no_line_is_a_command(self) -> None:
        first = table("02 14", ("36", "90"))
        for view in (
            ENGINE.view(first, RED),
            ENGINE.view(asked(), BLUE),
            ENGINE.view(asked(), None),
        ):
            assert ENGINE.read_command(view, "every rank is even") == ()
