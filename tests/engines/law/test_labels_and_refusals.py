"""Labels and refusals: every action has a label, and every refusal gives a reason without revealing
hidden cards."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE, news_text
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import V2Options as Options
from tests.engines.law.tables import do, table


def labels(state: LawState, seat: int) -> set[str]:
    """The labels of the seat's legal actions."""
    return {ENGINE.label(state, seat, code) for code in state.legal_actions(seat)}


def refusal_text(state: LawState, seat: int, action: Any) -> tuple[str, str]:
    """The code and the sentence of a refusal."""
    with pytest.raises(IllegalAction) as refusal:
        ENGINE.encode(state, seat, action)
    return refusal.value.code, str(refusal.value)


# -- labels -------------------------------------------------------------------------------------


def test_labels_of_a_turn() -> None:
    laws = {0: "AC AH 9H", 1: "8C 10C"}
    state = table(["2S 3S 4C 6C 8D 9D QD JD", "3D"], laws)
    labels_found = labels(state, 0)
    assert {
        *("Discard 2♠", "Discard 2♠ onto the draw pile", "Pass to the left"),
        *("Discard down to the limit", "Look at the hand of seat 1 and steal"),
        "Ask seat 1 for K♥",
    } <= labels_found
    drawing = table(["2S", "3S"], takes=1, discards="9D 10S")
    assert labels(drawing, 0) == {"Draw a card", "Take 10♠ from the discard pile"}
    turned = table(["2S", "3S"], {1: "9S 9C"}, takes=1, discards="9D 10S", stack="8C")
    assert labels(turned, 0) == {"Draw 8♣", "Take a card from the discard pile"}
    assert labels(table(["2S", "3S"], {1: "10D"}), 0) == {"End the turn"}


def test_labels_of_actions_at_any_time() -> None:
    laws = {0: "AS AD 4H"}
    state = table(["2D", "7S 8S 9S 10S 7H 7C 3S"], laws, discards="KD 6H")
    assert {
        *("Bill: equal ranks, 7", "Bill: a straight from 7", "Bill: a flush of spades"),
        "Straight flush of spades from 7: win the game",
        *("Discard 2 cards to draw a card", "Play 7♥ on the discard pile and draw 3 cards"),
    } <= labels(state, 1)


@pytest.mark.parametrize(
    ("event", "label"),
    [
        ("KD", "Replace 8♣ by a card from the draw pile"),
        ("KH", "Let 8♣ bind one player only"),
        ("KC", "Swap your hand …"),
        ("KS", "Make 9♥ a Law instead: Laws +1"),
        ("QC", "Give Q♣ back to the deck"),
        ("QS", "Collect a card from the draw pile"),
    ],
)
def test_labels_of_the_choices_of_an_Event(event: str, label: str) -> None:
    state = table(["7S 7H 7D 2S 9H", "3S"], {0: "8C 10S"}, discards=f"JD {event}")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    assert label in labels(state, 0)


def test_labels_of_answers() -> None:
    state = table(["2H 3S 4S", "3D 4D", "6D"], {0: "7H 8C"})
    do(state, 0, a.Discard("2H", 1))
    assert labels(state, 0) == {
        *("Discard a card yourself", "Make seat 1 discard a card", "Make seat 2 discard a card"),
    }
    do(state, 0, a.ChooseSeat(1))
    assert labels(state, 1) == {"Discard 3♦", "Discard 4♦"}
    do(state, 1, a.Discard("3D", 1))
    do(state, 0, a.Attend("pass_left"))
    assert "Pass 3♠ to seat 1" in labels(state, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_legal_action_of_random_games_has_its_own_label(seats: int) -> None:
    rng = FastRng(seats)
    state = ENGINE.start(Options(), seats, rng)
    while state.to_act:
        able_seats = [seat for seat in range(seats) if state.legal_actions(seat)]
        for seat in able_seats:
            codes = state.legal_actions(seat)
            assert len({ENGINE.label(state, seat, code) for code in codes}) == len(codes)
        seat = able_seats[rng.below(len(able_seats))]
        state.apply(seat, state.random_action(seat, rng), rng)
        for viewer in (None, *range(seats)):
            assert all(item["text"] for item in ENGINE.news(state, viewer))


# -- refusals -----------------------------------------------------------------------------------

IN_TURN: tuple[tuple[str, Any, str, str], ...] = (
    ("", a.Take(1), "nothing-to-take", "You have taken all cards"),
    ("", a.Discard("KH", 1), "not-in-hand", "You do not hold K♥."),
    ("", a.Discard("2S", 0), "no-such-law", "onto the draw pile"),
    ("", a.Discard("2S", 2), "no-such-pile", "cannot use discard pile 2"),
    ("", a.Attend("pass_left"), "not-owed", "No Law requires this of you"),
    ("", a.EndTurn(), "still-owed", "Discard a card"),
    ("8S 10C AC", a.EndTurn(), "still-owed", "Pass to the right; Look at a hand"),
    ("10D", a.EndTurn(), "still-owed", "Before your turn ends"),
    ("", a.Reveal(1), "no-such-law", "lets you look at a hand"),
    ("AC", a.Reveal(0), "same-seat", "Choose another player."),
    ("AC", a.Reveal(3), "unknown-seat", "There is no seat 3"),
    ("", a.Ask(1, "KH"), "no-such-law", "lets you ask"),
    ("AH", a.Ask(1, "2S"), "not-hidden", "2♠ is yours"),
    ("AH", a.Ask(0, "KH"), "same-seat", "Choose another player."),
    ("", a.KindBill("2"), "lacks-cards", "now takes 3 cards"),
    ("4S", a.KindBill("2"), "no-bill", "no longer a Bill"),
    ("2C", a.StraightBill("2"), "lacks-cards", "now takes 3 cards"),
    ("", a.FlushBill("spades"), "lacks-cards", "now takes 5 cards"),
    ("", a.StraightFlush("2", "spades"), "no-such-law", "makes a straight flush win"),
    ("4H", a.StraightFlush("2", "spades"), "lacks-cards", "no such straight flush"),
    ("", a.Trade(), "no-such-law", "discard to draw"),
    ("AD JS", a.Trade(), "lacks-cards", "costs 4 cards"),
    ("", a.Top("2S", 1), "no-such-law", "on top of a discard pile"),
    ("AS", a.Top("2S", 1), "your-turn", "only allowed out of turn"),
    ("", a.Collect(0), "not-now", "No choice is open"),
    ("", a.Choose("2S"), "not-now", "No choice is open"),
)


@pytest.mark.parametrize(("laws", "action", "code", "words"), IN_TURN)
def test_refusals_in_a_turn(laws: str, action: Any, code: str, words: str) -> None:
    state = table(["2S 3S", "3D"], {0: laws}, discards="QD KD")
    code_found, sentence = refusal_text(state, 0, action)
    assert [code_found, words in sentence] == [code, True], sentence


@pytest.mark.parametrize("action", [a.Discard("2S", 1), a.Attend("pass_left"), a.EndTurn()])
def test_the_cards_of_a_turn_are_taken_first(action: Any) -> None:
    state = table(["2S 3S", "3D"], takes=2)
    assert refusal_text(state, 0, action) == (
        "take-first",
        "Begin your turn by taking 2 cards.",
    )


def test_refusals_out_of_turn() -> None:
    state = table(["2S 3S", "3D 9D", "6D"], {0: "AS AD"}, discards="KD 8S")
    assert refusal_text(state, 1, a.Discard("3D", 1))[0] == "not-your-turn"
    assert refusal_text(state, 1, a.Top("3D", 1)) == (
        "wrong-rank",
        "3♦ is not the next rank after the top card.",
    )
    assert refusal_text(state, 1, a.Top("9D", 2))[0] == "no-such-pile"
    assert refusal_text(state, 1, a.Top("9H", 1))[0] == "not-in-hand"
    assert refusal_text(state, 2, a.Trade())[0] == "not-your-turn"  # no action is open to seat 2


def test_refusals_while_a_choice_is_open() -> None:
    state = table(["7S 7H 7D 7C 2S", "3D 4D"])
    do(state, 0, a.KindBill("7"))
    assert refusal_text(state, 0, a.Discard("2S", 1)) == (
        "not-now",
        "First choose the next card of the Bill (lay).",
    )
    assert refusal_text(state, 0, a.Lay("2S"))[0] == "not-offered"
    for card in ("7S", "7H", "7D"):
        do(state, 0, a.Lay(card))
    assert refusal_text(state, 0, a.Collect(3))[0] == "no-such-pile"
    assert refusal_text(state, 1, a.Collect(0))[0] == "not-your-turn"


def test_stealing_and_asking_once_a_turn() -> None:
    state = table(["2S 3S", "3D 4D 6D"], {0: "AC AH"})
    do(state, 0, a.Reveal(1))
    do(state, 0, a.Choose("3D"))
    do(state, 0, a.Ask(1, "4D"))
    assert refusal_text(state, 0, a.Reveal(1))[0] == "once-a-turn"
    assert refusal_text(state, 0, a.Ask(1, "6D"))[0] == "once-a-turn"


def test_a_refusal_to_ask_reveals_no_hidden_card() -> None:
    texts = set()
    for other_hand in ("3D 4D", "6D 8D"):
        state = table(["2S 3S", other_hand], {0: "AC"})
        texts.add(refusal_text(state, 0, a.Ask(1, "3D")))
    assert len(texts) == 1


def test_a_result_has_a_reason() -> None:
    state = table(["8S 9S 10S JS 2D", "3D 4D"], {1: "4H"})
    assert ENGINE.result(state) is None
    do(state, 0, a.StraightFlush("8", "spades"))
    result = ENGINE.result(state)
    assert result is not None
    assert [result.winners, result.scores] == [(0,), (0, 1)]
    assert result.reason == "Seat 0 wins with a straight flush."


SENTENCES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"kind": "raised", "by": 2}, "All players now need 2 more to win"),
    ({"kind": "drew"}, "Seat 0 draws a card"),
    ({"kind": "drew", "card": "10H"}, "Seat 0 draws 10♥"),
    ({"kind": "took", "pile": 1, "card": "QS"}, "Seat 0 takes Q♠ from the discard pile"),
    ({"kind": "took", "pile": 2}, "Seat 0 takes a card from discard pile 2"),
    ({"kind": "discarded", "card": "2S", "pile": 1}, "Seat 0 discards 2♠"),
    ({"kind": "discarded", "card": "2S", "pile": 0}, "Seat 0 discards 2♠ onto the draw pile"),
    (
        {"kind": "applied", "law": "7S", "card": "9S"},
        "Seat 0 sets off 7♠ with 9♠: If you draw a spade, draw 1",
    ),
    (
        {"kind": "applied", "law": "7S", "card": "9S", "doubled": True},
        "Seat 0 sets off 7♠ with 9♠: If you draw a spade, draw 2",
    ),
    (
        {"kind": "asked", "of": 1, "card": "9S", "found": True},
        "Seat 0 asks Seat 1 for 9♠ and gets it",
    ),
    (
        {"kind": "asked", "of": 1, "card": "9S", "found": False},
        "Seat 0 asks Seat 1 for 9♠, without success",
    ),
    ({"kind": "aimed", "at": 0, "count": 1}, "Seat 0 chooses themselves to discard a card"),
    ({"kind": "billed", "shape": "kind", "of": "7"}, "Seat 0 proposes a Bill of equal ranks, 7"),
    (
        {"kind": "billed", "shape": "straight_flush", "of": "8", "suit": "clubs"},
        "Seat 0 proposes a straight flush of clubs from 8",
    ),
    (
        {"kind": "collected", "card": "9S", "pile": -1},
        "Seat 0 collects 9♠ from their hand: The draw pile lies face up",
    ),
    (
        {"kind": "summary", "counts": [[43, 1, 0], [0, 0, 0], [0, 0, 1]]},
        "In short: Seat 0 draws 43 cards and discards a card; Seat 2 collects a card",
    ),
    ({"kind": "swapped", "with": 1, "count": 2}, "Seat 0 swaps 2 cards with Seat 1"),
    (
        {"kind": "swapped", "with": 1, "count": 1, "gave": ["2S"], "got": ["3D"]},
        "Seat 0 gives 2♠ to Seat 1 for 3♦",
    ),
    ({"kind": "contributed", "count": 2}, "Seat 0 puts 2 cards into the empty draw pile"),
    ({"kind": "revealed", "of": 1, "cards": ["2S"]}, "Seat 0 looks at the hand of Seat 1: 2♠"),
    (
        {"kind": "over", "winners": [0, 1, 2], "ending": "impossible"},
        "Seats 0, 1 and 2 share the victory with most Laws, as nobody can collect any more",
    ),
)


@pytest.mark.parametrize(("item", "sentence"), SENTENCES)
def test_news_have_sentences(item: dict[str, Any], sentence: str) -> None:
    assert news_text.news_sentence({"seat": 0, **item}) == sentence
