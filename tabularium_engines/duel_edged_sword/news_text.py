"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tabularium_engines.common.english_text import join_words, pluralize, seat_name
from tabularium_engines.duel_edged_sword.cards import COMPLETE_CODES

SEAT_NAMES: Final = ("North", "East", "South", "West")
SENTENCES: Final = {
    "dealt": "Round {round} is dealt; {who} leads",
    "flipped": "{card} is flipped: {sides}",
    "drew": "{who} draws {card}",
    "placed": "{who} lays {card} at the {side} of row {row}",
    "opened": "{who} lays {card} into the empty row {row}",
    "collected": "{who} collects {cards} from row {row}",
    "turned": "{cards} of row {row} are turned face down",
    "out": "{who} has three of a kind and is out of the round",
    "cut": "{who} has four of a kind: out of the round, and no points from it",
    "bust": "{who} draws {card}, which fits nowhere: bust, and no points for {who} this round",
    "revealed": "The cards aside were {cards}",
    "scored": "Round {round} is over{outcome}",
}
# by mode, or with teams by the flipped card
SIDES_TEXTS: Final = {
    "combative": "everybody plays for themselves",
    "collaborative": "all play together",
    "true": "{0} and {1} play against {2} and {3}",
    "false": "{0} and {3} play against {1} and {2}",
}


def news_sentence(item: Mapping[str, Any]) -> str:
    """One item of news as a sentence without a full stop."""
    words = {
        "who": player_name(item["seat"]),
        "card": card_text(item["card"]) if "card" in item else "a card",
        "cards": join_words(card_text(card) for card in item.get("cards", ())),
    }
    if item["kind"] == "flipped":
        words["sides"] = sides_text(item["card"], item["mode"])
    elif item["kind"] == "scored":
        words["outcome"] = _outcome_text(item)
    return SENTENCES[item["kind"]].format(**{**item, **words})


def player_name(seat: int) -> str:
    """The name of a seat."""
    return seat_name(seat, SEAT_NAMES[seat])


def card_text(card: str) -> str:
    """A card as players read it: "FRC" for the filled red circle, "Red", "True"."""
    return card if card in COMPLETE_CODES else card.capitalize()


def sides_text(flipped: str, mode: str) -> str:
    """The sides of a round."""
    sides = SIDES_TEXTS[flipped if mode == "teams" else mode]
    return sides.format(*map(player_name, range(4)))


def round_winners(points: Sequence[int]) -> list[str]:
    """The players who win a round with these points (R22)."""
    most = max(points)
    return [player_name(seat) for seat, number in enumerate(points) if 0 < number == most]


def points_text(points: Iterable[int]) -> str:
    """The points of all players."""
    return ", ".join(f"{player_name(seat)} {number}" for seat, number in enumerate(points))


def _outcome_text(item: Mapping[str, Any]) -> str:
    """How a round ended, as the rest of a sentence."""
    if item["mode"] != "collaborative":
        winners = round_winners(item["points"])
        verb = "win" if len(winners) > 1 else "wins"
        return f", {join_words(winners) or 'nobody'} {verb} it: {points_text(item['points'])}"
    kept, sought = sum(item["kept"]), item["sought"]
    outcome = "the challenge is met" if kept == sought else "the challenge is not met"
    return f": {outcome}, with {kept} of {pluralize(sought, 'Complete')}"
