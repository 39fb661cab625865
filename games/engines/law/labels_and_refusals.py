"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.engines.base import IllegalAction
from games.engines.common import playing_cards
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import has
from games.engines.law import action_numbers as t
from games.engines.law import actions as a
from games.engines.law.news_text import card_text, pile_name, pluralize, source_name
from games.engines.law.rule_parameters import SHAPE_FLUSH, SHAPE_KIND, SHAPE_STRAIGHT
from games.engines.law.table_state import LawState
from games.engines.law.turn_duties import discards_due, is_duty_owed, must_steal

# -- labels -------------------------------------------------------------------------------------

LabelWriter = Callable[[LawState, int, Any], str]

DUTY_LABELS = {
    "pass_right": "Pass to the right",
    "pass_left": "Pass to the left",
    "swap_left": "Swap with your left neighbour",
    "swap_right": "Swap with your right neighbour",
    "discard_down": "Discard down to the limit",
}


def label(state: LawState, seat: int, action: Any) -> str:
    """A legal action in a few words."""
    return LABEL_WRITERS[type(action)](state, seat, action)


def _take_label(state: LawState, seat: int, action: a.Take) -> str:
    return f"Take from {source_name(action.pile)}" if action.pile else "Draw a card"


def _discard_label(state: LawState, seat: int, action: a.Discard) -> str:
    where = "" if action.pile == 1 else f" onto {source_name(action.pile)}"
    return f"Discard {card_text(action.card)}{where}"


def _top_label(state: LawState, seat: int, action: a.Top) -> str:
    cards = pluralize(int(state.parameters[seat].topping), "card")
    return f"Play {card_text(action.card)} on {pile_name(action.pile)} and draw {cards}"


def _trade_label(state: LawState, seat: int, action: a.Trade) -> str:
    terms = state.parameters[seat]
    cost, gain = pluralize(int(terms.trade_cost), "card"), pluralize(int(terms.trade_gain), "card")
    return f"Discard {cost} to draw {gain}"


def _choose_label(state: LawState, seat: int, action: a.Choose) -> str:
    task = state.agenda.top()
    other = t.other_of(subject_of(task))
    return CARD_CHOICE_LABELS[int(kind_of(task))].format(card=card_text(action.card), other=other)


CARD_CHOICE_LABELS = {
    int(t.TASK_PASS): "Pass {card} to seat {other}",
    int(t.TASK_SWAP): "Swap {card} away",
    int(t.TASK_CONTRIBUTE): "Put {card} into the empty draw pile",
    int(t.TASK_SUBSTITUTE): "Make {card} a Law instead",
    int(t.TASK_STEAL): "Steal {card} from seat {other}",
}


def _choose_law_label(state: LawState, seat: int, action: a.ChooseLaw) -> str:
    return LAW_CHOICE_LABELS[int(kind_of(state.agenda.top()))].format(card_text(action.card))


LAW_CHOICE_LABELS = {
    int(t.TASK_RETURN): "Give {} back to the deck",
    int(t.TASK_REPLACE): "Replace {} by a card from the draw pile",
    int(t.TASK_BIND): "Let {} bind one player only",
}


def _choose_seat_label(state: LawState, seat: int, action: a.ChooseSeat) -> str:
    task = state.agenda.top()
    who = "yourself" if action.seat == seat else f"seat {action.seat}"
    subject = subject_of(task)
    return SEAT_CHOICE_LABELS[int(kind_of(task))](who, subject)


def _aim_label(who: str, subject: int) -> str:
    verb = "Discard" if who == "yourself" else f"Make {who} discard"
    return f"{verb} {pluralize(int(t.number_of(subject)), 'card')}" + (
        " yourself" if who == "yourself" else ""
    )


def _hand_of(who: str) -> str:
    return "your hand" if who == "yourself" else f"the hand of {who}"


SEAT_CHOICE_LABELS: dict[int, Callable[[str, int], str]] = {
    int(t.TASK_AIM): _aim_label,
    int(t.TASK_BIND_WHOM): lambda who, subject: f"Bind {who} only",
    int(t.TASK_FIRST_SEAT): lambda who, subject: f"Swap {_hand_of(who)} …",
    int(t.TASK_SECOND_SEAT): lambda who, subject: f"… with {_hand_of(who)}",
}

LABEL_WRITERS: dict[type[Any], LabelWriter] = {
    a.Take: _take_label,
    a.Discard: _discard_label,
    a.Attend: lambda state, seat, action: DUTY_LABELS[action.duty],
    a.EndTurn: lambda state, seat, action: "End the turn",
    a.Reveal: lambda state, seat, action: f"Look at the hand of seat {action.seat} and steal",
    a.Ask: lambda state, seat, action: f"Ask seat {action.seat} for {card_text(action.card)}",
    a.KindBill: lambda state, seat, action: f"Bill: equal ranks, {action.rank}",
    a.StraightBill: lambda state, seat, action: f"Bill: a straight from {action.lowest}",
    a.FlushBill: lambda state, seat, action: f"Bill: a flush of {action.suit}",
    a.StraightFlush: lambda state, seat, action: (
        f"Straight flush of {action.suit} from {action.lowest}: win the game"
    ),
    a.Trade: _trade_label,
    a.Top: _top_label,
    a.Lay: lambda state, seat, action: f"Lay {card_text(action.card)} for the Bill",
    a.Collect: lambda state, seat, action: f"Collect from {source_name(action.pile)}",
    a.Choose: _choose_label,
    a.ChooseLaw: _choose_law_label,
    a.ChooseSeat: _choose_seat_label,
    a.Apply: lambda state, seat, action: f"{card_text(action.card)} comes next",
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


def refusal(state: LawState, seat: int, action: Any) -> IllegalAction:
    """Why this action is illegal for a seat that has other legal actions."""
    task = state.agenda.top()
    if kind_of(task) != t.TASK_TURN:
        return _choice_refusal(state, seat, t.TASK_NAMES[kind_of(task)], action)
    if type(action) not in TURN_ACTIONS | ANYTIME_ACTIONS:
        sentence = "No choice is open: act in your turn, play a Bill, or wait."
        return IllegalAction("not-now", sentence, "/type")
    if type(action) in TURN_ACTIONS and seat != state.turn:
        sentence = f"It is the turn of seat {state.turn}, and only that seat may do this."
        return IllegalAction("not-your-turn", sentence, "/type")
    return REFUSAL_WRITERS[type(action)](state, seat, action)


TURN_ACTIONS = {a.Take, a.Discard, a.Attend, a.EndTurn, a.Reveal, a.Ask}
ANYTIME_ACTIONS = {a.KindBill, a.StraightBill, a.FlushBill, a.StraightFlush, a.Trade, a.Top}


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
    sentence = f"You cannot use {where} now."
    return IllegalAction("no-such-pile", sentence, "/pile")


def _seat_refusal(state: LawState, other: int) -> IllegalAction:
    if other >= state.seats:
        return IllegalAction("unknown-seat", f"There is no seat {other} at this table.", "/seat")
    return IllegalAction("same-seat", "Choose another player.", "/seat")


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


# -- the actions of a turn ------------------------------------------------------------------------


def _take_refusal(state: LawState, seat: int, action: a.Take) -> IllegalAction:
    if state.progress.takes:
        return _pile_refusal(action.pile)
    return IllegalAction("nothing-to-take", "You have taken all cards of this turn.", "/type")


def _take_first_refusal(state: LawState) -> IllegalAction:
    cards = pluralize(int(state.progress.takes), "card")
    return IllegalAction("take-first", f"Begin your turn by taking {cards}.")


def _discard_refusal(state: LawState, seat: int, action: a.Discard) -> IllegalAction:
    if state.progress.takes:
        return _take_first_refusal(state)
    if discards_due(state) == 0:
        sentence = "You have nothing to discard now."
        return IllegalAction("nothing-to-discard", sentence, "/type")
    return _placement_refusal(state, seat, action)


def _attend_refusal(state: LawState, seat: int, action: a.Attend) -> IllegalAction:
    if state.progress.takes:
        return _take_first_refusal(state)
    return IllegalAction(
        "not-owed", "No Law requires this of you, or you have already done it.", "/duty"
    )


def _end_turn_refusal(state: LawState, seat: int, action: a.EndTurn) -> IllegalAction:
    if state.progress.takes:
        return _take_first_refusal(state)
    owed = [
        DUTY_LABELS[name] for duty, name in enumerate(t.DUTY_NAMES) if is_duty_owed(state, duty)
    ]
    if cards := int(discards_due(state)):
        owed.insert(0, f"Discard {pluralize(cards, 'card')}")
    if must_steal(state):
        owed.append("Look at a hand and steal from it")
    return IllegalAction("still-owed", f"Before your turn ends: {'; '.join(owed)}.", "/type")


def _reveal_refusal(state: LawState, seat: int, action: a.Reveal) -> IllegalAction:
    if state.parameters[seat].steals == 0:
        return _no_law_refusal("lets you look at a hand")
    if state.progress.stolen:
        return IllegalAction("once-a-turn", "You have already done this in this turn.", "/type")
    return _target_refusal(state, seat, action.seat)


def _ask_refusal(state: LawState, seat: int, action: a.Ask) -> IllegalAction:
    if state.parameters[seat].asks == 0:
        return _no_law_refusal("lets you ask for a card")
    if state.progress.asked >= state.parameters[seat].asks:
        sentence = "You have asked as often as you may in this turn."
        return IllegalAction("once-a-turn", sentence, "/type")
    if action.seat != seat and action.seat < state.seats and state.hands[action.seat]:
        sentence = f"{card_text(action.card)} is yours, lies open, or is not in the game."
        return IllegalAction("not-hidden", sentence, "/card")
    return _target_refusal(state, seat, action.seat)


def _target_refusal(state: LawState, seat: int, other: int) -> IllegalAction:
    """Why a player cannot be stolen from or asked."""
    if other == seat or other >= state.seats:
        return _seat_refusal(state, other)
    return IllegalAction("empty-hand", f"Seat {other} has no cards.", "/seat")


def _no_law_refusal(what: str) -> IllegalAction:
    return IllegalAction("no-such-law", f"No Law in force {what}.", "/type")


# -- actions at any time --------------------------------------------------------------------------


def _bill_refusal_writer(shape: int, name: str) -> Callable[[LawState, int, Any], IllegalAction]:
    """A function that explains why a Bill of this shape is banned or beyond the hand."""

    def say(state: LawState, seat: int, action: Any) -> IllegalAction:
        terms = state.parameters[seat]
        if has(terms.banned, shape):
            return IllegalAction("no-bill", f"For you, {name} is no longer a Bill.", "/type")
        cards = pluralize(int(terms.bill_size(shape)), "card")
        sentence = f"Your hand has no such Bill: {name} now takes {cards}."
        return IllegalAction("lacks-cards", sentence)

    return say


def _straight_flush_refusal(state: LawState, seat: int, action: a.StraightFlush) -> IllegalAction:
    if not state.parameters[seat].straight_flush_wins:
        return _no_law_refusal("makes a straight flush win")
    return IllegalAction("lacks-cards", "Your hand has no such straight flush.")


def _trade_refusal(state: LawState, seat: int, action: a.Trade) -> IllegalAction:
    cost = int(state.parameters[seat].trade_cost)
    if cost == 0:
        return _no_law_refusal("lets you discard to draw")
    return IllegalAction("lacks-cards", f"This costs {cost} cards, and you hold fewer.")


def _top_refusal(state: LawState, seat: int, action: a.Top) -> IllegalAction:
    if state.parameters[seat].topping == 0:
        return _no_law_refusal("lets you play on top of a discard pile")
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
    a.Attend: _attend_refusal,
    a.EndTurn: _end_turn_refusal,
    a.Reveal: _reveal_refusal,
    a.Ask: _ask_refusal,
    a.KindBill: _bill_refusal_writer(int(SHAPE_KIND), "a set of equal ranks"),
    a.StraightBill: _bill_refusal_writer(int(SHAPE_STRAIGHT), "a straight"),
    a.FlushBill: _bill_refusal_writer(int(SHAPE_FLUSH), "a flush"),
    a.StraightFlush: _straight_flush_refusal,
    a.Trade: _trade_refusal,
    a.Top: _top_refusal,
}
