"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tabularium_engines.common.english_text import card_text, cards_text, player_name, words_of

NewsFacts = Mapping[str, Any]


def news_sentence(item: NewsFacts) -> str:
    """One item of news as a sentence without a full stop."""
    secret, sentence = OPEN_SENTENCES.get(item["kind"], ("", ""))
    if secret not in item:
        sentence = SENTENCES[item["kind"]]
    unknown = {"card": "a card", "cards": f"{item.get('count')} cards", "hands": ""}
    return sentence.format_map(unknown | words_of(item, FACT_WRITERS))


def _winners_text(seats: list[int]) -> str:
    *most, last = [player_name(seat) for seat in seats] or ["any player"]
    names = f"{', '.join(most)} and {last}" if most else last
    return f"{'a' if seats else 'no'} point for {names}"


def _leg_winners_text(seats: list[int]) -> str:
    return f"goes to {player_name(seats[0])}" if len(seats) == 1 else "is shared"


def _by_seat(facts: Iterable[Any], link: str = ", ") -> str:
    return link.join(f"{player_name(seat)} {fact}" for seat, fact in enumerate(facts))


FACT_WRITERS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("seat", "from", "with"), player_name),
    **dict.fromkeys(("card", "gave", "got"), card_text),
    "cards": cards_text,
    "old": lambda old: f" in place of {card_text(old)}" if old else "",
    "suits": _by_seat,
    "counted": lambda counted: _by_seat(f"has {number}" for number in counted),
    "winners": _winners_text,
    "to": _leg_winners_text,
    "points": lambda points: " : ".join(map(str, points)),
    "hands": lambda hands: f" (hands: {_by_seat(map(cards_text, hands), '; ')})",
}
SENTENCES = {
    "dealt": "{seat} is dealt {cards}",
    "turn": "{seat} is on turn",
    "drew": "{seat} draws {card}",
    "played": "{seat} plays {card}",
    "enacted": "{seat} enacts {card} as law {slot}, on {number}{old}",
    "numbered": "{seat} spends {card} to put {number} on slot {slot}",
    "shifted": "{seat} sets the number of slot {slot} to {number}",
    "swapped_numbers": "{seat} swaps the numbers of slots {slot} and {other}",
    "stole": "{seat} steals {card} from {from}",
    "discarded": "{seat} discards {card}",
    "swapped": "{seat} swaps a card with {with}",
    "took_discard": "{seat} takes {card} from the discard pile",
    "rolled": "{seat} rolls {number} on the d{die}",
    "triggered": "{seat} applies law {slot}, {card}",
    "fizzled": "{seat} cannot apply the effect",
    "declined": "{seat} does not roll",
    "called": "{seat} calls a count: all other players have one more turn",
    "voted": "{seat} has voted",
    "votes_opened": "The votes are opened: {suits}",
    "decided": "{seat} has the last word: {suit}",
    "suit_rolled": "{seat} rolls {number} on the d4: {suit}",
    "exhausted": "{seat} finds the draw pile empty: it is counted at once",
    "leg_over": "Leg {leg} {to}, {points}; {seat} begins the second leg",
    "counted": "The {suit} are counted: {counted}; {winners}{hands}",
}
OPEN_SENTENCES = {  # for viewers who know the secret of this name
    "swapped": ("gave", "{seat} gives {gave} to {with} for {got}"),
    "voted": ("suit", "{seat} has voted for {suit}"),
}
