"""What a player reads about an action: its label if it is legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.engines.common.agenda import kind_of, subject_of
from games.engines.law import actions as a
from games.engines.law import tasks as t
from games.engines.law.news import pile_name, plural, shown, source
from games.engines.law.state import LawState

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
    return f"Play {shown(action.card)} on {pile_name(action.pile)} and draw"


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


SEATS: dict[int, Callable[[str, int], str]] = {
    int(t.AIM): _aim,
    int(t.BIND_WHOM): lambda who, subject: f"Bind {who} only",
    int(t.FIRST): lambda who, subject: f"Swap the hand of {who} …",
    int(t.SECOND): lambda who, subject: f"… with the hand of {who}",
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
    a.Trade: lambda state, seat, action: "Discard to draw",
    a.Top: _top,
    a.Lay: lambda state, seat, action: f"Lay {shown(action.card)} for the Bill",
    a.Collect: lambda state, seat, action: f"Collect from {source(action.pile)}",
    a.Choose: _choose,
    a.ChooseLaw: _choose_law,
    a.ChooseSeat: _choose_seat,
    a.Apply: lambda state, seat, action: f"{shown(action.card)} comes next",
}
