"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tabularium_engines.common.english_text import (
    card_text,
    cards_text,
    join_words,
    pluralize,
    seats_text,
    victory_text,
)
from tabularium_engines.common.playing_cards import CARD_CODES, rank_of
from tabularium_engines.law.actions import Card
from tabularium_engines.law.game_logic import MAX_ROUNDS_WITHOUT_LAW
from tabularium_engines.law.laws import LAW_BY_CODE
from tabularium_engines.law.news_text import ending
from tabularium_engines.law.view import Law, Task, View

USUAL_LAWS_NEEDED: Final = 4  # R15
QUIET_ROUNDS_UNMENTIONED: Final = 10  # no remark is made before so many rounds


def variant_text(view: View) -> str:
    """The rules in use, in a sentence."""
    if view.options.deck == "introductory":
        return "The introductory deck, from two to ten; four Laws win."
    return "The whole deck; four Laws win, if no Law says otherwise."


def has_happened(card: Card) -> bool:
    """Whether this card is an event, which happened when collected and does nothing more."""
    return LAW_BY_CODE[card].is_event


def is_doubled(view: View, seat: int) -> bool:
    """Whether the numbers on Laws are doubled for this player."""
    laws = (law for collection in view.laws for law in collection)
    return any(LAW_BY_CODE[law.card].is_doubling and law.bound in (None, seat) for law in laws)


def law_text(view: View, law: Law) -> str:
    """The text of a collected card, with the numbers that apply to all players it binds."""
    if has_happened(law.card):
        return f"Event: {printed_law_text(law.card)}"
    bound = range(view.seats) if law.bound is None else (law.bound,)
    return printed_law_text(law.card, all(is_doubled(view, seat) for seat in bound))


def printed_law_text(card: Card, doubled: bool = False) -> str:
    """The text of a card, with its numbers as printed, or doubled."""
    return str(LAW_BY_CODE[card].wording(doubled))


def cards_by_rank(cards: Iterable[Card]) -> list[Card]:
    """Cards in the order of their ranks, so that equal ones lie side by side."""
    return sorted(cards, key=lambda card: rank_of(CARD_CODES.index(card)))


def answered_seats(view: View) -> list[int]:
    """The seats that had to make a sealed choice and have made it."""
    chosen = enumerate(view.chosen_sizes)
    return [seat for seat, size in chosen if size and seat not in view.to_act]


# -- the pending decision -------------------------------------------------------------------------


def headline(view: View) -> str:
    """The decision that the table waits for, or how the game ended."""
    if not view.to_act:
        return f"{ending_text(view)}."
    task = view.agenda[-1]
    decision = AWAITED_PHRASES[task.kind].format_map(_awaited_words(view, task))
    return f"{seats_text(view.to_act)} {decision}."


def ending_text(view: View) -> str:
    """How the game ended; a win by Laws with their number."""
    if view.ending != "laws":
        return ending(view.winners, view.ending)
    (winner,) = view.winners
    numbers = f"{len(view.laws[winner])} of {pluralize(view.needed[winner], 'Law')}"
    return f"{victory_text(view.winners)} with {numbers}"


def _awaited_words(view: View, task: Task) -> dict[str, Any]:
    """The words for a task's number, other seat and card, and verbs for one seat or several."""
    several = len(view.to_act) > 1
    return {
        "cards": pluralize(task.number, "card"),
        "laws": pluralize(task.number, "Law"),
        "other": task.other,
        "card": card_text(task.card) if task.card else "",
        "left": pluralize(view.bill.cards, "more card") if view.bill else "cards",
        "turn": _turn_text(view),
        "chooses": "choose" if several else "chooses",
        "has": "have" if several else "has",
    }


def _turn_text(view: View) -> str:
    if view.takes:
        return f"is on turn and takes {pluralize(view.takes, 'card')}"
    if view.discards is None:
        return "has taken all cards of the turn, and may go on to its end"
    discards = [f"discard {pluralize(view.discards, 'card')}"] if view.discards else []
    owed = [*discards, *(DUTY_PHRASES[duty] for duty in view.duties)]
    return f"ends the turn and has to {join_words(owed)}" if owed else "ends the turn"


DUTY_PHRASES = {
    "pass_right": "pass to the right",
    "pass_left": "pass to the left",
    "swap_left": "swap with the left neighbour",
    "swap_right": "swap with the right neighbour",
    "discard_down": "discard down to the limit",
}
AWAITED_PHRASES = {
    "turn": "{turn}",
    "lay": "plays a Bill and lays {left}",
    "collect": "chooses the pile from which to collect a Law",
    "discard": "{has} to discard {cards}",
    "aim": "chooses a player who has to discard {cards}",
    "pass": "has to pass {cards} to seat {other}",
    "swap": "{chooses} {cards} to swap, sealed",
    "contribute": "{chooses} {cards} for the empty draw pile, sealed",
    "return": "{chooses} {laws} to give back to the deck, sealed",
    "substitute": "chooses a card from the hand to be a Law",
    "replace": "chooses a Law to be replaced at random",
    "bind": "chooses a Law that is to bind one player only",
    "bind_whom": "chooses the only player whom {card} is to bind",
    "first": "chooses the first of two players who swap hands",
    "second": "chooses who swaps hands with seat {other}",
    "steal": "has to steal {cards} from seat {other}",
    "order": "says which Law comes next",
}

# -- remarks --------------------------------------------------------------------------------------


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    if not view.to_act:
        return [needed] if (needed := needed_text(view)) else []
    found = [anytime_text(view)] if view.agenda[-1].kind == "turn" else []
    found.append(bills_text(view))
    found += [needed] if (needed := needed_text(view)) else []
    if answered_seats(view):
        own = f" You chose {cards_text(view.chosen)}." if view.chosen else ""
        found.append(f"Sealed: {seats_text(answered_seats(view)).lower()}.{own}")
    if view.triggers:
        waiting = (card_text(law) for trigger in view.triggers for law in trigger.laws)
        found.append(f"Set off, and still to come: {', '.join(waiting)}.")
    if view.quiet > QUIET_ROUNDS_UNMENTIONED * view.seats:
        left = pluralize(int(MAX_ROUNDS_WITHOUT_LAW) * view.seats - view.quiet + 1, "more turn")
        found.append(f"If nobody collects a Law in {left}, most Laws win.")
    return found


def anytime_text(view: View) -> str:
    """A sentence on the actions open to any seat while the table waits for another."""
    laws = {law.card: law.bound for collection in view.laws for law in collection}
    more = ""
    for card, verb in (("AD", "trade"), ("AS", "top the discard pile out of turn")):
        if card in laws:
            whose = "" if laws[card] is None else f" (seat {laws[card]} only)"
            more += f", or {verb}{whose}"
    return f"Anybody may play a Bill{more}."


def bills_text(view: View) -> str:
    """The current sizes of Bills: for all players, or for each if Laws bind one alone."""
    return _for_each([f"a Bill is {_bill_sizes_text(sizes)}" for sizes in view.sizes])


def needed_text(view: View) -> str:
    """How many Laws win, and the cards that make it so: for all players, or for each if they
    differ. Nothing if it is the usual number."""
    if all(needed == USUAL_LAWS_NEEDED for needed in view.needed):
        return ""
    return _for_each([_needed_text(view, seat) for seat in range(view.seats)])


def _needed_text(view: View, seat: int) -> str:
    needed, raised = view.needed[seat], view.raised[seat]
    by_law = needed - USUAL_LAWS_NEEDED - raised
    parts = [
        str(USUAL_LAWS_NEEDED),
        *([f"{raised} more since {card_text('QS')} was collected"] if raised else []),
        *([f"{by_law} more by {card_text('JC')}"] if by_law else []),
    ]
    reasons = f": {join_words(parts)}" if len(parts) > 1 else ""
    return f"{needed} Laws win{reasons}"


def _for_each(clauses: Sequence[str]) -> str:
    """The clause of each seat as a sentence: a single one if all have the same."""
    if len(set(clauses)) == 1:
        return f"{clauses[0][0].upper()}{clauses[0][1:]}."
    seats = {each: [s for s, own in enumerate(clauses) if own == each] for each in clauses}
    parts = (f"For {seats_text(seats[each]).lower()}, {each}." for each in seats)
    return " ".join(parts)


def _bill_sizes_text(sizes: tuple[int, int, int]) -> str:
    phrases = zip(("{} of a kind", "a straight of {}", "a flush of {}"), sizes, strict=True)
    shapes = [phrase.format(size) for phrase, size in phrases if size]
    return join_words(shapes, "or") or "impossible"
