"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabularium_engines.common.english_text import (
    card_text,
    cards_text,
    join_words,
    player_name,
    victory_text,
    words_of,
)
from tabularium_engines.law.laws import LAW_BY_CODE

NewsFacts = Mapping[str, Any]

# -- words ----------------------------------------------------------------------------------------


def card_count_text(number: int) -> str:
    """ "a card", "2 cards"."""
    return "a card" if number == 1 else f"{number} cards"


def pile_name(pile: int) -> str:
    """The name of a pile: 0 is the draw pile, and the first discard pile has no number."""
    return ("the draw pile", "the discard pile")[pile] if pile < 2 else f"discard pile {pile}"


def ending(winners: tuple[int, ...], reason: str) -> str:
    """The winners and the reason."""
    return f"{victory_text(winners)} {ENDING_PHRASES[reason]}"


ENDING_PHRASES = {
    "laws": "with as many Laws as it takes",
    "straight_flush": "with a straight flush",
    "impossible": "with most Laws, as nobody can collect any more",
    "stalemate": "with most Laws, as nobody has collected one for fifty rounds",
    "too_long": "with most Laws, as the game has gone on for too long",
}

# how sentences call the facts of these names
FACT_WORDS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("seat", "to", "from", "with", "at"), player_name),
    **dict.fromkeys(("card", "law"), card_text),
    **dict.fromkeys(("cards", "laws", "gave", "got"), cards_text),
    **dict.fromkeys(("count", "discards"), card_count_text),
    "of": lambda of: player_name(of) if isinstance(of, int) else of,  # else a rank or a suit
    "pile": pile_name,
    "seats": lambda seats: " and ".join(map(player_name, seats)),
}


def law_line(item: NewsFacts, name: str = "card") -> str:
    """The Law of a card in the facts, in words."""
    law = LAW_BY_CODE[item[name]]
    return str(law.wording(item.get("doubled", False))).removesuffix(".")


# -- sentences ----------------------------------------------------------------------------------


def news_sentence(item: NewsFacts) -> str:
    """The sentence for one item of news as the viewer received it, without a full stop."""
    words = {"card": "a card"} | words_of(item, FACT_WORDS)
    words["some"] = words.get("cards") or words.get("count", "")
    sentence = SENTENCES[item["kind"]]
    return (sentence if isinstance(sentence, str) else sentence(item)).format_map(words)


BILL_SENTENCES = {
    "kind": "{seat} proposes a Bill of equal ranks, {of}",
    "straight": "{seat} proposes a straight from {of}",
    "flush": "{seat} proposes a flush of {of}",
    "straight_flush": "{seat} proposes a straight flush of {suit} from {of}",
}

SUMMARIZED_KINDS = {"drew": "draws", "discarded": "discards", "collected": "collects"}


def _summary(item: NewsFacts) -> str:
    """How many cards each seat drew, discarded and collected."""
    parts = []
    for seat, counts in enumerate(item["counts"]):
        done = zip(SUMMARIZED_KINDS.values(), counts, strict=True)
        deeds = [f"{verb} {card_count_text(number)}" for verb, number in done if number]
        if deeds:
            parts.append(f"{player_name(seat)} {join_words(deeds)}")
    return "; ".join(parts)


# the sentences, or functions that choose one
SENTENCES: dict[str, str | Callable[[NewsFacts], str]] = {
    "dealt": "{seat} is dealt {some}",
    "turn": "{seat} is on turn",
    "drew": "{seat} draws {card}",
    "took": "{seat} takes {card} from {pile}",
    "discarded": lambda item: (
        "{seat} discards {card}" + ("" if item["pile"] == 1 else " onto {pile}")
    ),
    "passed": "{seat} passes {card} to {to}",
    "swapped": lambda item: (
        "{seat} gives {gave} to {with} for {got}"
        if "gave" in item
        else "{seat} swaps {count} with {with}"
    ),
    "contributed": "{seat} puts {some} into the empty draw pile",
    "returned": "{seat} gives {laws} back to the deck",
    "hands_passed": "{seat} makes all hands go one seat to the left",
    "hands_swapped": "{seats} swap hands",
    "revealed": lambda item: (
        "{seat} looks at the hand of {of}" + (": {cards}" if "cards" in item else "")
    ),
    "stole": "{seat} steals {card} from {from}",
    "asked": lambda item: (
        "{seat} asks {of} for {card}" + (" and gets it" if item["found"] else ", without success")
    ),
    "billed": lambda item: BILL_SENTENCES[item["shape"]],
    "laid": "{seat} lays {cards} into the trash",
    "traded": "{seat} discards {discards} to draw {draws}",
    "topped": "{seat} plays {card} on top of {pile}",
    "collected": lambda item: (
        "{seat} collects {card} from "
        + ("their hand" if item["pile"] < 0 else "{pile}")
        + f": {law_line(item)}"
    ),
    "granted": lambda item: f"{{seat}} gets {{card}} as a Law: {law_line(item)}",
    "event": "{seat} resolves {card}",
    "applied": lambda item: f"{{seat}} sets off {{law}} with {{card}}: {law_line(item, 'law')}",
    "aimed": lambda item: (
        "{seat} chooses themselves to discard {count}"
        if item["at"] == item["seat"]
        else "{seat} chooses {at} to discard {count}"
    ),
    "raised": "All players now need {by} more to win",
    "removed": "Threes and fours leave the game: {cards}",
    "replaced_all": "All Laws go to the trash, to be replaced",
    "replaced": "{card} of {of} goes to the trash",
    "bound": lambda item: f"{{card}} now binds {{to}} only: {law_line(item)}",
    "recycled": "{card} is shuffled into the draw pile",
    "replenished": lambda item: ("{card}" if "card" in item else "A card") + " is laid on {pile}",
    "reshuffled": "{count} become the new draw pile",
    "nothing": "{seat} cannot apply the effect",
    "summary": lambda item: f"In short: {_summary(item)}",
    "over": lambda item: ending(tuple(item["winners"]), item["ending"]),
}
