"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabularium_engines.base import IllegalAction
from tabularium_engines.common import playing_cards
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.bits import has
from tabularium_engines.common.english_text import card_text, label_text, name_within
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.news_text import card_count_text, pile_name
from tabularium_engines.law.turn_play import discards_due, is_duty_owed, must_steal

# -- labels -------------------------------------------------------------------------------------

DUTY_LABELS = {
    "pass_right": "Pass to the right",
    "pass_left": "Pass to the left",
    "swap_left": "Swap with your left neighbour",
    "swap_right": "Swap with your right neighbour",
    "discard_down": "Discard down to the limit",
}

LABELS: dict[type[Any], str] = {
    a.Take: "Take {top} from {pile}",
    a.Discard: "Discard {card} onto {pile}",
    a.Attend: "{duty}",
    a.EndTurn: "End the turn",
    a.Reveal: "Look at the hand of {seat} and steal",
    a.Ask: "Ask {seat} for {card}",
    a.KindBill: "Bill: equal ranks, {rank}",
    a.StraightBill: "Bill: a straight from {lowest}",
    a.FlushBill: "Bill: a flush of {suit}",
    a.StraightFlush: "Straight flush of {suit} from {lowest}: win the game",
    a.Trade: "Discard {cost} to draw {gain}",
    a.Top: "Play {card} on {pile} and draw {topping}",
    a.Lay: "Lay {card} for the Bill",
    a.Collect: "Collect {top} from {pile}",
    a.Apply: "{card} comes next",
}

# Choices of a card, a Law or another player, by the task on top …
CHOICE_LABELS = {
    int(n.TASK_PASS): "Pass {card} to {other}",
    int(n.TASK_SWAP): "Swap {card} away",
    int(n.TASK_CONTRIBUTE): "Put {card} into the empty draw pile",
    int(n.TASK_SUBSTITUTE): "Make {card} a Law instead",
    int(n.TASK_STEAL): "Steal {card} from {other}",
    int(n.TASK_RETURN): "Give {card} back to the deck",
    int(n.TASK_REPLACE): "Replace {card} by a card from the draw pile",
    int(n.TASK_BIND): "Let {card} bind one player only",
    int(n.TASK_AIM): "Make {seat} discard {cards}",
    int(n.TASK_BIND_WHOM): "Bind {seat} only",
    int(n.TASK_FIRST_SEAT): "Swap the hand of {seat} …",
    int(n.TASK_SECOND_SEAT): "… with the hand of {seat}",
}
# … and of oneself.
OWN_SEAT_LABELS = {
    int(n.TASK_AIM): "Discard {cards} yourself",
    int(n.TASK_BIND_WHOM): "Bind yourself only",
    int(n.TASK_FIRST_SEAT): "Swap your hand …",
    int(n.TASK_SECOND_SEAT): "… with your hand",
}


def label(state: LawState, seat: int, action: Any) -> str:
    """A legal action in a few words."""
    return label_text(_template(state, seat, action), WORDS, state, seat, action)


def _template(state: LawState, seat: int, action: Any) -> str:
    if isinstance(action, a.Take) and action.pile == 0:
        return "Draw {top}"
    if isinstance(action, a.Discard) and action.pile == 1:
        return "Discard {card}"
    kind, task = type(action), int(kind_of(state.agenda.top()))
    if isinstance(action, a.ChooseSeat) and action.seat == seat:
        return OWN_SEAT_LABELS[task]
    return LABELS[kind] if kind in LABELS else CHOICE_LABELS[task]


def _subject(state: LawState) -> int:
    return int(subject_of(state.agenda.top()))


def _top_card_text(state: LawState, seat: int, pile: int) -> str:
    """The top card of a pile, if the seat knows it."""
    cards = state.piles.discarded[pile - 1] if pile else state.piles.stack
    if len(cards) == 0 or not has(state.known_cards[seat], cards[-1]):
        return "a card"
    return playing_cards.card_sign(cards[-1])


WORDS: dict[str, Callable[[LawState, int, Any], Any]] = {
    "card": lambda _state, _seat, action: card_text(action.card),
    "pile": lambda _state, _seat, action: pile_name(action.pile),
    "duty": lambda _state, _seat, action: DUTY_LABELS[action.duty],
    "seat": lambda _state, _seat, action: name_within(action.seat),
    "top": lambda state, seat, action: _top_card_text(state, seat, action.pile),
    # of the task on top
    "other": lambda state, _seat, _action: name_within(int(n.other_of(_subject(state)))),
    "cards": lambda state, _seat, _action: card_count_text(int(n.number_of(_subject(state)))),
    # allowed by Laws
    "topping": lambda state, seat, _action: card_count_text(int(state.parameters[seat].topping)),
    "cost": lambda state, seat, _action: card_count_text(int(state.parameters[seat].trade_cost)),
    "gain": lambda state, seat, _action: card_count_text(
        int(state.parameters[seat].trade_cost // 2)
    ),
}

# -- refusals -----------------------------------------------------------------------------------

# The name of each open choice, and the action that answers it.
TASK_CHOICES: dict[str, tuple[str, type[Any]]] = {
    "lay": ("the next card of the Bill", a.Lay),
    "collect": ("the pile from which you collect", a.Collect),
    "discard": ("a card that you discard", a.Discard),
    "aim": ("the player who has to discard", a.ChooseSeat),
    "pass": ("a card that you pass", a.Choose),
    "swap": ("a card that you swap", a.Choose),
    "contribute": ("a card for the empty draw pile", a.Choose),
    "return": ("a Law of yours that you give back", a.ChooseLaw),
    "substitute": ("a card of your hand that becomes a Law", a.Choose),
    "replace": ("a Law that is replaced", a.ChooseLaw),
    "bind": ("a Law in force to bind to one player", a.ChooseLaw),
    "bind_whom": ("the player bound by the Law", a.ChooseSeat),
    "first": ("the first of two players who swap hands", a.ChooseSeat),
    "second": ("the other player who swaps hands", a.ChooseSeat),
    "steal": ("a card that you steal", a.Choose),
    "order": ("the Law that comes next", a.Apply),
}

TURN_ACTIONS = {a.Take, a.Discard, a.Attend, a.EndTurn, a.Reveal, a.Ask}
ANYTIME_ACTIONS = {a.KindBill, a.StraightBill, a.FlushBill, a.StraightFlush, a.Trade, a.Top}

# Actions that a Law must allow: the parameter that it sets, and what it does.
ALLOWED_BY_LAWS: dict[type[Any], tuple[str, str]] = {
    a.Reveal: ("steals", "lets you look at a hand"),
    a.Ask: ("asks", "lets you ask for a card"),
    a.StraightFlush: ("straight_flush_wins", "makes a straight flush win"),
    a.Trade: ("trade_cost", "lets you discard to draw"),
    a.Top: ("topping", "lets you play on top of a discard pile"),
}


def refusal(state: LawState, seat: int, action: Any) -> IllegalAction:
    """Why this action is illegal for a seat that has other legal actions."""
    task, kind = kind_of(state.agenda.top()), type(action)
    if task != n.TASK_TURN:
        return _choice_refusal(state, seat, n.TASK_NAMES[task], action)
    if kind not in TURN_ACTIONS | ANYTIME_ACTIONS:
        sentence = "No choice is open: act in your turn, play a Bill, or wait."
        return IllegalAction("not-now", sentence, "/type")
    if kind in TURN_ACTIONS and seat != state.turn:
        sentence = f"It is the turn of seat {state.turn}, and only that seat may do this."
        return IllegalAction("not-your-turn", sentence, "/type")
    if kind in (a.Discard, a.Attend, a.EndTurn) and state.progress.takes:
        cards = card_count_text(int(state.progress.takes))
        return IllegalAction("take-first", f"Begin your turn by taking {cards}.")
    if kind in ALLOWED_BY_LAWS:
        parameter, effect = ALLOWED_BY_LAWS[kind]
        if not getattr(state.parameters[seat], parameter):
            return IllegalAction("no-such-law", f"No Law in force {effect}.", "/type")
    return REFUSAL_WRITERS[kind](state, seat, action)


def _choice_refusal(state: LawState, seat: int, task: str, action: Any) -> IllegalAction:
    wanted, kind = TASK_CHOICES[task]
    if type(action) is not kind:
        return IllegalAction("not-now", f"First choose {wanted} ({kind.kind}).", "/type")
    if isinstance(action, a.Discard):
        return _placement_refusal(state, seat, action)
    if isinstance(action, a.Collect):
        return _pile_refusal(action.pile)
    if isinstance(action, a.ChooseSeat):
        return _seat_refusal(state, action.seat)
    sentence = f"{card_text(action.card)} cannot be {wanted}."
    return IllegalAction("not-offered", sentence, "/card")


def _pile_refusal(pile: int) -> IllegalAction:
    where = f"discard pile {pile}" if pile else "the draw pile"
    return IllegalAction("no-such-pile", f"You cannot use {where} now.", "/pile")


def _seat_refusal(state: LawState, other: int) -> IllegalAction:
    if other >= state.seats:
        return IllegalAction("unknown-seat", f"There is no seat {other} at this table.", "/seat")
    return IllegalAction("same-seat", "Choose another player.", "/seat")


def _target_refusal(state: LawState, seat: int, other: int) -> IllegalAction:
    """Why a player cannot be stolen from or asked."""
    if other == seat or other >= state.seats:
        return _seat_refusal(state, other)
    return IllegalAction("empty-hand", f"Seat {other} has no cards.", "/seat")


def _not_held_refusal(state: LawState, seat: int, card: str) -> IllegalAction | None:
    if has(state.hands[seat], playing_cards.CARD_CODES.index(card)):
        return None
    return IllegalAction("not-in-hand", f"You do not hold {card_text(card)}.", "/card")


def _placement_refusal(state: LawState, seat: int, action: a.Discard) -> IllegalAction:
    if missing := _not_held_refusal(state, seat, action.card):
        return missing
    if action.pile == 0:
        sentence = "No Law in force lets you discard onto the draw pile."
        return IllegalAction("no-such-law", sentence, "/pile")
    return _pile_refusal(action.pile)


def _take_refusal(state: LawState, seat: int, action: a.Take) -> IllegalAction:
    if state.progress.takes:
        return _pile_refusal(action.pile)
    return IllegalAction("nothing-to-take", "You have taken all cards of this turn.", "/type")


def _discard_refusal(state: LawState, seat: int, action: a.Discard) -> IllegalAction:
    if discards_due(state) == 0:
        return IllegalAction("nothing-to-discard", "You have nothing to discard now.", "/type")
    return _placement_refusal(state, seat, action)


def _end_turn_refusal(state: LawState, seat: int, action: a.EndTurn) -> IllegalAction:
    owed = [label for duty, label in enumerate(DUTY_LABELS.values()) if is_duty_owed(state, duty)]
    if cards := int(discards_due(state)):
        owed.insert(0, f"Discard {card_count_text(cards)}")
    if must_steal(state):
        owed.append("Look at a hand and steal from it")
    return IllegalAction("still-owed", f"Before your turn ends: {'; '.join(owed)}.", "/type")


def _reveal_refusal(state: LawState, seat: int, action: a.Reveal) -> IllegalAction:
    if state.progress.stolen:
        return IllegalAction("once-a-turn", "You have already done this in this turn.", "/type")
    return _target_refusal(state, seat, action.seat)


def _ask_refusal(state: LawState, seat: int, action: a.Ask) -> IllegalAction:
    if state.progress.asked >= state.parameters[seat].asks:
        sentence = "You have asked as often as you may in this turn."
        return IllegalAction("once-a-turn", sentence, "/type")
    if action.seat != seat and action.seat < state.seats and state.hands[action.seat]:
        sentence = f"{card_text(action.card)} is yours, lies open, or is not in the game."
        return IllegalAction("not-hidden", sentence, "/card")
    return _target_refusal(state, seat, action.seat)


def _bill_refusal(state: LawState, seat: int, action: Any) -> IllegalAction:
    terms = state.parameters[seat]
    shape, name = BILLS[type(action)]
    if has(terms.banned, shape):
        return IllegalAction("no-bill", f"For you, {name} is no longer a Bill.", "/type")
    cards = card_count_text(int(terms.bill_size(shape)))
    sentence = f"Your hand has no such Bill: {name} now takes {cards}."
    return IllegalAction("lacks-cards", sentence)


BILLS: dict[type[Any], tuple[int, str]] = {
    a.KindBill: (n.SHAPE_KIND, "a set of equal ranks"),
    a.StraightBill: (n.SHAPE_STRAIGHT, "a straight"),
    a.FlushBill: (n.SHAPE_FLUSH, "a flush"),
}


def _trade_refusal(state: LawState, seat: int, action: a.Trade) -> IllegalAction:
    cost = int(state.parameters[seat].trade_cost)
    return IllegalAction("lacks-cards", f"This costs {cost} cards, and you hold fewer.")


def _top_refusal(state: LawState, seat: int, action: a.Top) -> IllegalAction:
    if seat == state.turn:
        return IllegalAction("your-turn", "This is only allowed out of turn.", "/type")
    if missing := _not_held_refusal(state, seat, action.card):
        return missing
    if not 0 < action.pile <= min(len(state.piles.discarded), state.parameters[seat].piles):
        return _pile_refusal(action.pile)
    sentence = f"{card_text(action.card)} is not the next rank after the top card."
    return IllegalAction("wrong-rank", sentence, "/card")


REFUSAL_WRITERS: dict[type[Any], Callable[[LawState, int, Any], IllegalAction]] = {
    a.Take: _take_refusal,
    a.Discard: _discard_refusal,
    a.Attend: lambda state, seat, action: IllegalAction(
        "not-owed", "No Law requires this of you, or you have already done it.", "/duty"
    ),
    a.EndTurn: _end_turn_refusal,
    a.Reveal: _reveal_refusal,
    a.Ask: _ask_refusal,
    **dict.fromkeys(BILLS, _bill_refusal),
    a.StraightFlush: lambda state, seat, action: IllegalAction(
        "lacks-cards", "Your hand has no such straight flush."
    ),
    a.Trade: _trade_refusal,
    a.Top: _top_refusal,
}
