"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections.abc import Sequence

from tabularium_engines.common.english_text import join_words, pluralize, seats_text, victory_text
from tabularium_engines.common.playing_cards import RANK_SIGNS
from tabularium_engines.law_of_the_dice.actions import Suit
from tabularium_engines.law_of_the_dice.cards import POWER_TEXTS
from tabularium_engines.law_of_the_dice.game_options import SecondOptions, ThirdOptions
from tabularium_engines.law_of_the_dice.view import (
    Count,
    Place,
    SecondView,
    ThirdView,
    View,
    first_leg_winners,
    leg_count,
    opened_votes,
)

COUNTED_TEXTS = {"hands": "Hands", "laws": "Laws", "both": "Hands and laws"}
NEXT_TURN_TEXTS = {
    "caller": "The caller goes on",
    "left_of_caller": "Left of the caller goes on",
    "left_of_starter": "Left of the last starter goes on",
    "winner": "A scorer goes on",
    "loser": "One who does not score goes on",
}

HOUSE_RULES_TEXT = "House rules: each turn begins with a d4, and laws stay after a count."


def variant_text(view: View) -> str:
    """The variant, in a sentence."""
    options = view.options
    chooser = "d4" if options.suit_by == "die" else "vote"
    kept = "laws stay after a count, " if options.laws_kept else ""
    win = f"{pluralize(options.points_to_win, 'point')} to win"
    counted = COUNTED_TEXTS[options.counted]
    following = ""
    if isinstance(options, SecondOptions):
        following = f" {NEXT_TURN_TEXTS[options.next_turn]}."
        win += ", in each of two legs" if leg_count(view) > 1 else ""
    if isinstance(options, ThirdOptions) and options.house_rules:
        kept = ""
        following += f" {HOUSE_RULES_TEXT}"
    return f"{counted} are counted, a {chooser} names the suit, {kept}{win}.{following}"


def headline(view: View) -> str:
    """The decision the table waits for, or how the game ended."""
    if not view.to_act:
        return ending(view)
    task = view.agenda[-1]
    words = {
        **vars(task),
        "has": "have" if len(view.to_act) > 1 else "has",
        "number": 3 - sum(other.kind == "act" for other in view.agenda),
        "effect": POWER_TEXTS[RANK_SIGNS.index(task.power)] if task.power else "",
        "tied": join_words(task.suits),
    }
    return f"{seats_text(view.to_act)} {AWAITED_PHRASES[task.kind].format_map(words)}."


AWAITED_PHRASES = {
    "act": "plays a card, enacts a law or draws (action {number} of 2)",
    "close": "ends the turn and may call a count",
    "target": "chooses a target for the {power}: {effect}",
    "shift": "raises or lowers one of their numbers by 1",
    "swap": "chooses two of their numbers to swap",
    "discard": "chooses a card to discard",
    "give": "chooses a card to give to seat {recipient}",
    "roll": "may roll the d{die}",
    "vote": "{has} to vote for the suit to be counted",
    "last_word": "settles the tie between {tied}",
}


def ending(view: View) -> str:
    """The winners and their score."""
    if isinstance(view, SecondView) and view.first_points:
        return f"{victory_text(view.winners)}: {_legs_score(view)}."
    score = f"{pluralize(max(view.points), 'point')} after {pluralize(view.counts, 'count')}"
    return f"{victory_text(view.winners)} with {score}."


def _legs_score(view: SecondView) -> str:
    """The points of both legs."""
    legs = zip(("first", "second"), (view.first_points, view.points), strict=True)
    return " and ".join(f"{points_text(points)} in the {which} leg" for which, points in legs)


def points_text(points: Sequence[int]) -> str:
    """The points by seat: "1 : 3"."""
    return " : ".join(map(str, points))


def leg_remark(view: View) -> str:
    """Which of two legs is played, and how the first ended; empty if there is but one."""
    if not isinstance(view, SecondView) or leg_count(view) == 1 or not view.to_act:
        return ""
    if view.leg == 1:
        return f"Leg 1 of 2: seat {view.opener} began."
    winners, score = first_leg_winners(view), points_text(view.first_points)
    first = "was shared" if len(winners) > 1 else f"went to seat {winners[0]}"
    return f"Leg 2 of 2: seat {view.opener} began; the first {first}, {score}."


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = [leg] if (leg := leg_remark(view)) else []
    if isinstance(view, ThirdView) and view.is_calm:
        found.append("No count can be called yet: each player has a turn first.")
    if view.caller is not None:
        found.append(f"{seats_text([view.caller])} has called a count.")
    if view.voted:
        own = f" You voted for {view.vote}." if view.vote else ""
        found.append(f"Sealed votes: {seats_text(view.voted).lower()}.{own}")
    if view.waiting:
        found.append(f"{pluralize(len(view.waiting), 'law')} still to fire.")
    if view.last_count is not None:
        found.append(f"Count {view.counts} was of {_count_text(view.last_count)}.")
    if votes := opened_votes(view):
        kinds = (f"{seats_text(_voters(votes, suit)).lower()} for {suit}" for suit in set(votes))
        whose = "The" if view.agenda[-1:] and view.agenda[-1].kind == "last_word" else "Its"
        found.append(f"{whose} votes: {join_words(sorted(kinds))}.")
    return found


def _voters(votes: tuple[Suit, ...], suit: Suit) -> list[int]:
    return [seat for seat, vote in enumerate(votes) if vote == suit]


def _count_text(count: Count) -> str:
    if not count.scorers:
        return f"{count.suit}, of which nobody had any"
    most = pluralize(max(count.counted), "card")
    return f"{count.suit}: {seats_text(count.scorers).lower()} scored with {most}"


def fired_places(view: View) -> list[Place]:
    """The laws that the chain has fired, including the current one."""
    return [place for place in view.fired if place not in view.waiting]
