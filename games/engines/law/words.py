"""What a player reads about an action: its label if it is legal, the reason if it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.engines.base import IllegalAction
from games.engines.common import french
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import has
from games.engines.law import actions as a
from games.engines.law import tasks as t
from games.engines.law.news import pile_name, plural, shown, source
from games.engines.law.state import LawState
from games.engines.law.terms import FLUSH, KIND, STRAIGHT
from games.engines.law.turns import discards_due, must_steal, owes

# -- labels -------------------------------------------------------------------------------------

Label = Callable[[LawState, int, Any], str]

DUTIES = {
    "pass_right": "Pass to the right",
    "pass_left": "Pass to the left",
    "swap_left": "Swap with your left neighbour",
    "swap_right": "Swap with your right neighbour",
    "discard_down": "Discard down to the limit",
}


def label(state: LawState, seat: int, action: Any) -> str:
    """A legal action in a few words."""
    return LABELS[type(action)](state, seat, action)


def _take(state: LawState, seat: int, action: a.Take) -> str:
    return f"Take from {source(action.pile)}" if action.pile else "Draw a card"


def _discard(state: LawState, seat: int, action: a.Discard) -> str:
    where = "" if action.pile == 1 else f" onto {source(action.pile)}"
    return f"Discard {shown(action.card)}{where}"


def _top(state: LawState, seat: int, action: a.Top) -> str:
    cards = plural(int(state.terms[seat].topping), "card")
    return f"Play {shown(action.card)} on {pile_name(action.pile)} and draw {cards}"


def _trade(state: LawState, seat: int, action: a.Trade) -> str:
    terms = state.terms[seat]
    cost, gain = plural(int(terms.trade_cost), "card"), plural(int(terms.trade_gain), "card")
    return f"Discard {cost} to draw {gain}"


def _choose(state: LawState, seat: int, action: a.Choose) -> str:
    task = state.agenda.top()
    other = t.other_of(subject_of(task))
    return CHOICES[int(kind_of(task))].format(card=shown(action.card), other=other)


CHOICES = {
    int(t.PASS): "Pass {card} to seat {other}",
    int(t.SWAP): "Swap {card} away",
    int(t.CONTRIBUTE): "Put {card} into the empty draw pile",
    int(t.SUBSTITUTE): "Make {card} a Law instead",
    int(t.STEAL): "Steal {card} from seat {other}",
}


def _choose_law(state: LawState, seat: int, action: a.ChooseLaw) -> str:
    return LAWS[int(kind_of(state.agenda.top()))].format(shown(action.card))


LAWS = {
    int(t.RETURN): "Give {} back to the deck",
    int(t.REPLACE): "Replace {} by a card from the draw pile",
    int(t.BIND): "Let {} bind one player only",
}


def _choose_seat(state: LawState, seat: int, action: a.ChooseSeat) -> str:
    task = state.agenda.top()
    who = "yourself" if action.seat == seat else f"seat {action.seat}"
    subject = subject_of(task)
    return SEATS[int(kind_of(task))](who, subject)


def _aim(who: str, subject: int) -> str:
    verb = "Discard" if who == "yourself" else f"Make {who} discard"
    return f"{verb} {plural(int(t.number_of(subject)), 'card')}" + (
        " yourself" if who == "yourself" else ""
    )


def _hand_of(who: str) -> str:
    return "your hand" if who == "yourself" else f"the hand of {who}"


SEATS: dict[int, Callable[[str, int], str]] = {
    int(t.AIM): _aim,
    int(t.BIND_WHOM): lambda who, subject: f"Bind {who} only",
    int(t.FIRST): lambda who, subject: f"Swap {_hand_of(who)} …",
    int(t.SECOND): lambda who, subject: f"… with {_hand_of(who)}",
}

LABELS: dict[type[Any], Label] = {
    a.Take: _take,
    a.Discard: _discard,
    a.Attend: lambda state, seat, action: DUTIES[action.duty],
    a.EndTurn: lambda state, seat, action: "End the turn",
    a.Reveal: lambda state, seat, action: f"Look at the hand of seat {action.seat} and steal",
    a.Ask: lambda state, seat, action: f"Ask seat {action.seat} for {shown(action.card)}",
    a.KindBill: lambda state, seat, action: f"Bill: equal ranks, {action.rank}",
    a.StraightBill: lambda state, seat, action: f"Bill: a straight from {action.lowest}",
    a.FlushBill: lambda state, seat, action: f"Bill: a flush of {action.suit}",
    a.StraightFlush: lambda state, seat, action: (
        f"Straight flush of {action.suit} from {action.lowest}: win the game"
    ),
    a.Trade: _trade,
    a.Top: _top,
    a.Lay: lambda state, seat, action: f"Lay {shown(action.card)} for the Bill",
    a.Collect: lambda state, seat, action: f"Collect from {source(action.pile)}",
    a.Choose: _choose,
    a.ChooseLaw: _choose_law,
    a.ChooseSeat: _choose_seat,
    a.Apply: lambda state, seat, action: f"{shown(action.card)} comes next",
}

# -- refusals -----------------------------------------------------------------------------------

# What each open choice is called, and which actions answer it.
CHOSEN: dict[str, tuple[str, type[Any]]] = {
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
    "bind": ("a Law in force that is to bind one player", a.ChooseLaw),
    "bind_whom": ("the player whom the Law is to bind", a.ChooseSeat),
    "first": ("the first of two players who swap hands", a.ChooseSeat),
    "second": ("the other player who swaps hands", a.ChooseSeat),
    "steal": ("a card that you steal", a.Choose),
    "order": ("the Law that comes next", a.Apply),
}


def refusal(state: LawState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, which may do something else, may not do this."""
    task = state.agenda.top()
    if kind_of(task) != t.TURN:
        return _wrong_choice(state, seat, t.TASK_NAMES[kind_of(task)], action)
    if type(action) not in IN_TURN | AT_ANY_TIME:
        sentence = "No choice is open: act in your turn, play a Bill, or wait."
        return IllegalAction("not-now", sentence, "/type")
    if type(action) in IN_TURN and seat != state.turn:
        sentence = f"Seat {state.turn} is on turn, and this is only for whoever is."
        return IllegalAction("not-your-turn", sentence, "/type")
    return REASONS[type(action)](state, seat, action)


IN_TURN = {a.Take, a.Discard, a.Attend, a.EndTurn, a.Reveal, a.Ask}
AT_ANY_TIME = {a.KindBill, a.StraightBill, a.FlushBill, a.StraightFlush, a.Trade, a.Top}


def _wrong_choice(state: LawState, seat: int, task: str, action: Any) -> IllegalAction:
    wanted, kind = CHOSEN[task]
    if type(action) is not kind:
        return IllegalAction("not-now", f"First name {wanted} ({kind.kind}).", "/type")
    if isinstance(action, a.Discard):
        return _cannot_place(state, seat, action)
    if isinstance(action, a.Collect):
        return _no_pile(action.pile)
    if isinstance(action, a.ChooseSeat):
        return _no_seat(state, action.seat)
    sentence = f"{shown(action.card)} cannot be {wanted}."
    return IllegalAction("not-offered", sentence, "/card")


def _no_pile(pile: int) -> IllegalAction:
    where = "discard pile " + str(pile) if pile else "draw pile"
    sentence = f"There is no {where} that you can use now."
    return IllegalAction("no-such-pile", sentence, "/pile")


def _no_seat(state: LawState, other: int) -> IllegalAction:
    if other >= state.seats:
        return IllegalAction("unknown-seat", f"There is no seat {other} at this table.", "/seat")
    return IllegalAction("same-seat", "Choose another player.", "/seat")


def _not_held(state: LawState, seat: int, card: str) -> IllegalAction | None:
    if has(state.hands[seat], french.CODES.index(card)):
        return None
    return IllegalAction("not-in-hand", f"You do not hold {shown(card)}.", "/card")


def _cannot_place(state: LawState, seat: int, action: a.Discard) -> IllegalAction:
    if missing := _not_held(state, seat, action.card):
        return missing
    if action.pile == 0:
        sentence = "No Law in force lets you discard onto the draw pile."
        return IllegalAction("no-such-law", sentence, "/pile")
    return _no_pile(action.pile)


# -- what a turn asks for -------------------------------------------------------------------------


def _cannot_take(state: LawState, seat: int, action: a.Take) -> IllegalAction:
    if state.takes:
        return _no_pile(action.pile)
    return IllegalAction("nothing-to-take", "You have taken all cards of this turn.", "/type")


def _must_take(state: LawState) -> IllegalAction:
    cards = plural(int(state.takes), "card")
    return IllegalAction("take-first", f"First take {cards}: that is the start of your turn.")


def _cannot_discard(state: LawState, seat: int, action: a.Discard) -> IllegalAction:
    if state.takes:
        return _must_take(state)
    if discards_due(state) == 0:
        sentence = "There is nothing that you have to discard now."
        return IllegalAction("nothing-to-discard", sentence, "/type")
    return _cannot_place(state, seat, action)


def _cannot_attend(state: LawState, seat: int, action: a.Attend) -> IllegalAction:
    if state.takes:
        return _must_take(state)
    return IllegalAction("not-owed", "No Law asks that of you, or it has been done.", "/duty")


def _cannot_end(state: LawState, seat: int, action: a.EndTurn) -> IllegalAction:
    if state.takes:
        return _must_take(state)
    owed = [DUTIES[name] for duty, name in enumerate(t.DUTY_NAMES) if owes(state, duty)]
    if cards := int(discards_due(state)):
        owed.insert(0, f"Discard {plural(cards, 'card')}")
    if must_steal(state):
        owed.append("Look at a hand and steal from it")
    return IllegalAction("still-owed", f"Before your turn ends: {'; '.join(owed)}.", "/type")


def _cannot_reveal(state: LawState, seat: int, action: a.Reveal) -> IllegalAction:
    if state.terms[seat].steals == 0:
        return _no_law("lets you look at a hand")
    if state.has_stolen:
        return IllegalAction("once-a-turn", "You have done that in this turn.", "/type")
    return _not_at(state, seat, action.seat)


def _cannot_ask(state: LawState, seat: int, action: a.Ask) -> IllegalAction:
    if state.terms[seat].asks == 0:
        return _no_law("lets you ask for a card")
    if state.asked >= state.terms[seat].asks:
        sentence = "You have asked as often as you may in this turn."
        return IllegalAction("once-a-turn", sentence, "/type")
    if action.seat != seat and action.seat < state.seats and state.hands[action.seat]:
        sentence = f"{shown(action.card)} is yours, lies open, or is not in the game."
        return IllegalAction("not-hidden", sentence, "/card")
    return _not_at(state, seat, action.seat)


def _not_at(state: LawState, seat: int, other: int) -> IllegalAction:
    """Why a player cannot be the one to steal from, or to ask."""
    if other == seat or other >= state.seats:
        return _no_seat(state, other)
    return IllegalAction("empty-hand", f"Seat {other} has no cards.", "/seat")


def _no_law(what: str) -> IllegalAction:
    return IllegalAction("no-such-law", f"No Law in force {what}.", "/type")


# -- what may be done at any time -----------------------------------------------------------------


def _cannot_bill(shape: int, name: str) -> Callable[[LawState, int, Any], IllegalAction]:
    """Why a hand cannot pay a Bill of this shape, or nobody can."""

    def say(state: LawState, seat: int, action: Any) -> IllegalAction:
        terms = state.terms[seat]
        if has(terms.banned, shape):
            return IllegalAction("no-bill", f"For you, {name} is no Bill any more.", "/type")
        cards = plural(int(terms.size(shape)), "card")
        sentence = f"Your hand has no such Bill: {name} takes {cards} now."
        return IllegalAction("lacks-cards", sentence)

    return say


def _cannot_show(state: LawState, seat: int, action: a.StraightFlush) -> IllegalAction:
    if not state.terms[seat].straight_flush_wins:
        return _no_law("makes a straight flush win")
    return IllegalAction("lacks-cards", "Your hand has no such straight flush.")


def _cannot_trade(state: LawState, seat: int, action: a.Trade) -> IllegalAction:
    cost = int(state.terms[seat].trade_cost)
    if cost == 0:
        return _no_law("lets you discard to draw")
    return IllegalAction("lacks-cards", f"That costs {cost} cards, and you hold fewer.")


def _cannot_top(state: LawState, seat: int, action: a.Top) -> IllegalAction:
    if state.terms[seat].topping == 0:
        return _no_law("lets you play on top of a discard pile")
    if seat == state.turn:
        return IllegalAction("your-turn", "That may be done out of turn only.", "/type")
    if missing := _not_held(state, seat, action.card):
        return missing
    if not 0 < action.pile <= min(len(state.discards), state.terms[seat].piles):
        return _no_pile(action.pile)
    sentence = f"{shown(action.card)} is not the next rank after the top card."
    return IllegalAction("wrong-rank", sentence, "/card")


REASONS: dict[type[Any], Callable[[LawState, int, Any], IllegalAction]] = {
    a.Take: _cannot_take,
    a.Discard: _cannot_discard,
    a.Attend: _cannot_attend,
    a.EndTurn: _cannot_end,
    a.Reveal: _cannot_reveal,
    a.Ask: _cannot_ask,
    a.KindBill: _cannot_bill(int(KIND), "a set of equal ranks"),
    a.StraightBill: _cannot_bill(int(STRAIGHT), "a straight"),
    a.FlushBill: _cannot_bill(int(FLUSH), "a flush"),
    a.StraightFlush: _cannot_show,
    a.Trade: _cannot_trade,
    a.Top: _cannot_top,
}
