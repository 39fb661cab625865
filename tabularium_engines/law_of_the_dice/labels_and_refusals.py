"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from tabularium_engines.base import IllegalAction
from tabularium_engines.common import playing_cards
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.bits import has, members
from tabularium_engines.common.english_text import (
    card_text,
    label_text,
    name_within,
    player_name,
)
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice import actions as a
from tabularium_engines.law_of_the_dice.cards import POWER_TEXTS, die_of
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.tablets import MAX_NUMBER, NO_CARD, SLOT_COUNT
from tabularium_engines.law_of_the_dice.view import card_number

# -- labels -------------------------------------------------------------------------------------


def label(state: DiceState, seat: int, code: int, decode: Callable[[int], Any]) -> str:
    """A short description of a legal action, by its number."""
    kind = code & 0xFF
    if kind not in PLAIN_KINDS:
        action = decode(code)
        return label_text(LABELS[type(action)], WORDS, state, seat, action)
    if (plain := _plain_labels.get(code)) is None:
        action = decode(code)
        plain = _plain_labels[code] = label_text(LABELS[type(action)], WORDS, state, seat, action)
    return plain + _slot_words(state, seat, code) if kind == n.ENACT else plain


LABELS: dict[type[Any], str] = {
    a.Play: "Play {card}: {power}",
    a.Enact: "Make {card} law {slot}",  # and the words of the slot
    a.PutNumber: "Spend {card} to put {number} on slot {slot}",
    a.Draw: "Draw a card",
    a.CallCount: "Call a count and end the turn",
    a.EndTurn: "End the turn",
    a.Target: "{whom}: {aim}",
    a.ShiftNumber: "{verb} the number of slot {slot} to {number}",
    a.SwapNumbers: "Swap the numbers of slots {slot} and {other}: {numbers}",
    a.Discard: "Discard {card}",
    a.Give: "Give {card} to {taker}",
    a.Roll: "Roll the d{subject}",
    a.Decline: "Do not roll",
    a.Vote: "Vote for {suit}",
    a.Decide: "Decide for {suit}",
}
# A turn has many offers, whose labels depend on the action alone: each is made once.
PLAIN_KINDS: Final = (int(n.PLAY), int(n.ENACT), int(n.PUT_NUMBER), int(n.DRAW))
_plain_labels: Final[dict[int, str]] = {}


def _slot_words(state: DiceState, seat: int, code: int) -> str:
    """The number of the slot of a new law, and the law that it replaces."""
    tablets, place = state.tablets, seat * SLOT_COUNT + n.field(code, 2)
    return _words_of_slot(tablets.numbers[place], tablets.laws[place])


@cache
def _words_of_slot(number: int, card: int) -> str:
    replaced = "" if card == NO_CARD else f", replacing {playing_cards.card_sign(card)}"
    return f", on {number or MAX_NUMBER}{replaced}"


def _subject(state: DiceState) -> int:
    return int(subject_of(state.agenda.top()))


def _place(seat: int, slot: int) -> int:
    return int(seat * SLOT_COUNT + slot - 1)


def _verb(state: DiceState, seat: int, action: a.ShiftNumber) -> str:
    is_higher = action.number > state.tablets.numbers[_place(seat, action.slot)]
    return "Raise" if is_higher else "Lower"


def _swapped_numbers(state: DiceState, seat: int, action: a.SwapNumbers) -> str:
    numbers = state.tablets.numbers
    first, second = numbers[_place(seat, action.slot)], numbers[_place(seat, action.other)]
    return f"{first or 'none'} and {second or 'none'}"


WORDS: dict[str, Callable[[DiceState, int, Any], Any]] = {
    "card": lambda _state, _seat, action: card_text(action.card),
    "power": lambda _state, _seat, action: POWER_TEXTS[
        playing_cards.rank_of(card_number(action.card))
    ],
    "verb": _verb,
    "numbers": _swapped_numbers,
    "whom": lambda _state, _seat, action: player_name(action.seat),
    "aim": lambda state, _seat, _action: POWER_TEXTS[_subject(state)],
    "taker": lambda state, _seat, _action: name_within(_subject(state)),
    "subject": lambda state, _seat, _action: _subject(state),
}


# -- refusals -----------------------------------------------------------------------------------

# The name of each open decision, and the actions that answer it.
TASK_DECISIONS: dict[str, tuple[str, tuple[type[Any], ...]]] = {
    "act": ("one of your two actions", (a.Play, a.Enact, a.PutNumber, a.Draw)),
    "close": ("the end of your turn", (a.CallCount, a.EndTurn)),
    "target": ("your choice of another player", (a.Target,)),
    "shift": ("your choice of a number to raise or lower", (a.ShiftNumber,)),
    "swap": ("your choice of two numbers to swap", (a.SwapNumbers,)),
    "discard": ("a card that you discard", (a.Discard,)),
    "give": ("a card that you give away", (a.Give,)),
    "roll": ("your decision whether to roll", (a.Roll, a.Decline)),
    "vote": ("your vote", (a.Vote,)),
    "last_word": ("your final decision on the suit", (a.Decide,)),
}


def refusal(state: DiceState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, whose turn it is, may not do this."""
    decision, kinds = TASK_DECISIONS[n.TASK_NAMES[kind_of(state.agenda.top())]]
    if type(action) not in kinds:
        wanted = " or ".join(kind.kind for kind in kinds)
        return IllegalAction("not-now", f"The table waits for {decision} ({wanted}).", "/type")
    card = getattr(action, "card", None)
    if card is not None and not has(state.deck.hands[seat], card_number(card)):
        return IllegalAction("not-in-hand", f"You do not hold {card_text(card)}.", "/card")
    return REFUSAL_WRITERS[type(action)](state, seat, action)


def _enact_refusal(state: DiceState, seat: int, action: a.Enact) -> IllegalAction:
    holder = state.tablets.slot_of(seat, MAX_NUMBER) + 1
    sentence = f"Slot {action.slot} has no number, and your 20 is on slot {holder}."
    return IllegalAction("twenty-taken", sentence, "/slot")


def _number_refusal(state: DiceState, seat: int, action: a.PutNumber) -> IllegalAction:
    die = die_of(card_number(action.card))
    if die == 0:
        return IllegalAction("not-a-die", f"{card_text(action.card)} is not a dice card.", "/card")
    either = (
        state.tablets.number_from_die(seat, action.slot - 1, die, upwards)
        for upwards in (False, True)
    )
    allowed = " or ".join(str(number) for number in either if number)
    sentence = f"The d{die} puts {allowed} on slot {action.slot}, not {action.number}."
    return IllegalAction("wrong-number", sentence, "/number")


def _target_refusal(state: DiceState, seat: int, action: a.Target) -> IllegalAction:
    if action.seat == seat:
        return IllegalAction("not-yourself", "Choose another player.", "/seat")
    if action.seat >= state.seats:
        sentence = f"There is no seat {action.seat} at this table."
        return IllegalAction("unknown-seat", sentence, "/seat")
    return IllegalAction("empty-hand", f"Seat {action.seat} has no cards.", "/seat")


def _shift_refusal(state: DiceState, seat: int, action: a.ShiftNumber) -> IllegalAction:
    number = int(state.tablets.numbers[_place(seat, action.slot)])
    if number == 0:
        return IllegalAction("no-number", f"Slot {action.slot} has no number.", "/slot")
    if abs(action.number - number) != 1:
        sentence = f"The number of slot {action.slot} is {number}: it changes by 1."
        return IllegalAction("wrong-number", sentence, "/number")
    holder = state.tablets.slot_of(seat, action.number) + 1
    return IllegalAction("number-taken", f"Your {action.number} is on slot {holder}.", "/number")


def _swap_refusal(state: DiceState, seat: int, action: a.SwapNumbers) -> IllegalAction:
    if action.slot >= action.other:
        return IllegalAction("slot-order", "Name two slots, the lower one first.", "/other")
    return IllegalAction("no-number", "Neither of these slots has a number.", "/slot")


def _decide_refusal(state: DiceState, seat: int, action: a.Decide) -> IllegalAction:
    tied = (playing_cards.SUIT_NAMES[suit] for suit in members(subject_of(state.agenda.top())))
    return IllegalAction("not-tied", f"The vote is tied between {' and '.join(tied)}.", "/suit")


REFUSAL_WRITERS: dict[type[Any], Callable[[DiceState, int, Any], IllegalAction]] = {
    a.Enact: _enact_refusal,
    a.PutNumber: _number_refusal,
    a.Target: _target_refusal,
    a.ShiftNumber: _shift_refusal,
    a.SwapNumbers: _swap_refusal,
    a.Decide: _decide_refusal,
}
