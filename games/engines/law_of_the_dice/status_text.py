"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections.abc import Callable

from games.engines.common.english_text import (
    join_words,
    player_name,
    pluralize,
    seats_text,
    victory_text,
)
from games.engines.common.playing_cards import RANK_SIGNS
from games.engines.law_of_the_dice.cards import POWER_TEXTS
from games.engines.law_of_the_dice.view import Count, Place, Task, View

COUNTED_TEXTS = {"hands": "Hands", "laws": "Laws", "both": "Hands and laws"}


def variant_text(view: View) -> str:
    """The variant, in a sentence."""
    options = view.options
    chooser = "d4" if options.suit_by == "die" else "vote"
    kept = "laws stay after a count, " if options.laws_kept else ""
    win = f"{pluralize(options.points_to_win, 'point')} to win"
    counted = COUNTED_TEXTS[options.counted]
    return f"{counted} are counted, a {chooser} names the suit, {kept}{win}."


def headline(view: View) -> str:
    """The decision the table waits for, or how the game ended."""
    if not view.to_act:
        return ending(view)
    task = view.agenda[-1]
    return f"{seats_text(view.to_act)} {AWAITED_PHRASES[task.kind](view, task)}."


def ending(view: View) -> str:
    """The winners and their score."""
    score = f"{pluralize(max(view.points), 'point')} after {pluralize(view.counts, 'count')}"
    return f"{victory_text(view.winners)} with {score}."


def _act_phrase(view: View, task: Task) -> str:
    left = sum(other.kind == "act" for other in view.agenda)
    return f"plays a card, enacts a law or draws (action {3 - left} of 2)"


def _target_phrase(view: View, task: Task) -> str:
    power = POWER_TEXTS[RANK_SIGNS.index(task.power or "")]
    return f"chooses a target for the {task.power}: {power}"


def _vote_phrase(view: View, task: Task) -> str:
    return f"{'have' if len(view.to_act) > 1 else 'has'} to vote for the suit to be counted"


AWAITED_PHRASES: dict[str, Callable[[View, Task], str]] = {
    "act": _act_phrase,
    "close": lambda view, task: "ends the turn and may call a count",
    "target": _target_phrase,
    "shift": lambda view, task: "raises or lowers one of their numbers by 1",
    "swap": lambda view, task: "chooses two of their numbers to swap",
    "discard": lambda view, task: "chooses a card to discard",
    "give": lambda view, task: f"chooses a card to give to seat {task.recipient}",
    "roll": lambda view, task: f"may roll the d{task.die}",
    "vote": _vote_phrase,
    "last_word": lambda view, task: f"settles the tie between {join_words(task.suits)}",
}


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = [f"{player_name(view.caller)} has called a count."] if view.caller is not None else []
    if view.voted:
        own = f" You voted for {view.vote}." if view.vote else ""
        found.append(f"Sealed votes: {seats_text(view.voted).lower()}.{own}")
    if view.waiting:
        found.append(f"{pluralize(len(view.waiting), 'law')} still to fire.")
    if view.last_count is not None:
        found.append(f"Count {view.counts} was of {_count_text(view.last_count)}.")
    return found


def _count_text(count: Count) -> str:
    if not count.scorers:
        return f"{count.suit}, of which nobody had any"
    most = pluralize(max(count.counted), "card")
    return f"{count.suit}: {seats_text(count.scorers).lower()} scored with {most}"


def fired_places(view: View) -> list[Place]:
    """The laws that the chain has fired, including the current one."""
    return [place for place in view.fired if place not in view.waiting]
