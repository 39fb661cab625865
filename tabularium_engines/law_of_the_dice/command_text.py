"""The printed command language of Law of the Dice: "play 2", "law 3 -slot 1", "draw", and options
that answer the decisions that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabularium_engines.base import IllegalAction
from tabularium_engines.common import playing_cards
from tabularium_engines.common.english_text import card_text, join_words
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.tablets import MAX_NUMBER, SLOT_COUNT
from tabularium_engines.law_of_the_dice.view import View, card_number

VERBS: Final = {"play": "play", "p": "play", "law": "law", "l": "law", "draw": "draw", "d": "draw"}
OPTIONS: Final = ("slot", "slots", "position", "roundup", "up", "target", "give")
FLAGS: Final = ("roundup", "up")  # options without a value
LAW_OPTIONS: Final = ("slot",)
DIE_OPTIONS: Final = ("slot", "position", "roundup")
OPTIONS_BY_RANK: Final = {
    "3": ("slot", "up"),
    "4": ("target",),
    "5": ("slots",),
    "6": ("target",),
    "8": ("target", "give"),
}

Wish = Mapping[str, Any]  # members of an action's JSON


@dataclass(frozen=True)
class Command:
    """A typed line in its parts."""

    verb: str
    card: str  # its code; "" for none
    options: Mapping[str, Sequence[str]]

    def number(self, option: str, most: int) -> int | None:
        """The value of an option, from 1; None if it is not given."""
        given = self.options.get(option)
        return None if given is None else _number(option, given[0], 1, most)


def read_command(view: View, line: str) -> tuple[Wish, ...]:
    """The meaning of a command: the awaited action, then answers to later decisions."""
    verb, _, rest = line.partition(" ")
    if verb.lower() not in VERBS:
        return ()
    command = _parse(view, VERBS[verb.lower()], rest.split())
    wishes = {"draw": _draw, "play": _play, "law": _law}[command.verb](view, command)
    return tuple(
        {**wish, "type": f"law_of_the_dice.{wish['type']}"} if "type" in wish else wish
        for wish in wishes
    )


# -- parsing ------------------------------------------------------------------------------------


def _parse(view: View, verb: str, words: Sequence[str]) -> Command:
    split = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    named, options = words[:split], dict(_options(words[split:]))
    if verb == "draw":
        if named or options:
            raise IllegalAction("bad-command", "“draw” needs no card and no option.")
        return Command(verb, "", {})
    if len(named) != 1:
        raise IllegalAction("bad-command", f"Name one card by its place: “{verb} 1”.")
    card = _hand_card(view, named[0])
    _check_options(verb, card, options)
    return Command(verb, card, options)


def _options(words: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    while words:
        name = words[0].removeprefix("-").lower()
        if name not in OPTIONS or not words[0].startswith("-"):
            raise IllegalAction("bad-option", f"“{words[0][:20]}” is no option of a command.")
        count = 0 if name in FLAGS else 2 if name == "slots" else 1
        values, words = words[1 : count + 1], words[count + 1 :]
        if len(values) < count:
            needs = "two values" if count > 1 else "a value"
            raise IllegalAction("bad-option", f"“-{name}” needs {needs}.")
        yield name, values


def _check_options(verb: str, card: str, options: Mapping[str, Any]) -> None:
    rank = playing_cards.RANK_SIGNS[playing_cards.rank_of(card_number(card))]
    is_die = die_of(card_number(card)) > 0
    law_options: Sequence[str] = DIE_OPTIONS if is_die else LAW_OPTIONS
    known = law_options if verb == "law" else OPTIONS_BY_RANK.get(rank, ())
    for name in options:
        if name not in known:
            names = join_words((f"-{other}" for other in known), "or")
            takes = f"it takes {names}" if known else "it takes none"
            sentence = f"-{name} does not go with “{verb}” and {card_text(card)}: {takes}."
            raise IllegalAction("bad-option", sentence)


def _hand_card(view: View, word: str) -> str:
    """A card of the hand, by its place from the left or by its name."""
    by_name = {name: card for card in view.hand for name in (card.lower(), card_text(card))}
    if word.lower() in by_name:
        return by_name[word.lower()]
    if not view.hand:
        raise IllegalAction("bad-card", "You hold no cards.")
    return view.hand[_number("card", word, 1, len(view.hand)) - 1]


def _number(name: str, word: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", word) or not least <= int(word) <= most:
        sentence = f"“{word[:20]}” is no {name}: give a number from {least} to {most}."
        raise IllegalAction(f"bad-{name}", sentence)
    return int(word)


# -- commands -----------------------------------------------------------------------------------


def _draw(_view: View, _command: Command) -> Iterator[Wish]:
    yield {"type": "draw"}


def _law(view: View, command: Command) -> Iterator[Wish]:
    slot, position = command.number("slot", SLOT_COUNT), command.options.get("position")
    wish = {"card": command.card} | ({"slot": slot} if slot else {})
    if die_of(card_number(command.card)) == 0 or position == ["act"]:
        yield {"type": "enact", **wish}
    elif position is None:
        yield wish  # as a law or as a number: the player is asked
    elif position == ["num"]:
        number = _die_number(view, command, slot) if slot else {}
        yield {"type": "put_number", **wish, **number}
    else:
        raise IllegalAction("bad-position", "Say “-position num” or “-position act”.")


def _die_number(view: View, command: Command, slot: int) -> Wish:
    """The die's highest number, or the nearest free one: of two the lower if not rounded up."""
    die = die_of(card_number(command.card))
    signs = (1, -1) if "roundup" in command.options else (-1, 1)
    near = (die + sign * distance for distance in range(MAX_NUMBER) for sign in signs)
    return {"number": next(number for number in near if _is_free(view, slot, number))}


def _is_free(view: View, slot: int, number: int) -> bool:
    """Whether a number may be given to a slot of the viewer (R5)."""
    laws = enumerate(_own_laws(view), start=1)
    others = (law.number for other, law in laws if other != slot)
    return 1 <= number <= MAX_NUMBER and number not in others


def _own_laws(view: View) -> Sequence[Any]:
    assert view.seat is not None, "a command is typed by a player"
    return view.laws[view.seat]


def _play(view: View, command: Command) -> Iterator[Wish]:
    yield {"type": "play", "card": command.card}
    if "slot" in command.options or "up" in command.options:
        yield _shift(view, command)
    if "target" in command.options:
        seat = _number("target", command.options["target"][0], 0, view.seats - 1)
        yield {"type": "target", "seat": seat}
    if "give" in command.options:
        given = _hand_card(view, command.options["give"][0])
        if given == command.card:
            raise IllegalAction("bad-give", f"You play {card_text(given)}: give another card.")
        yield {"type": "give", "card": given}
    if "slots" in command.options:
        slots = sorted(_number("slot", word, 1, SLOT_COUNT) for word in command.options["slots"])
        yield {"type": "swap_numbers", "slot": slots[0], "other": slots[1]}


def _shift(view: View, command: Command) -> Wish:
    """The slot's number made less by 1 if that is possible and no other wish is told."""
    slot = command.number("slot", SLOT_COUNT)
    if slot is None:
        raise IllegalAction("bad-slot", "Say whose number: “-slot 1”, 2 or 3.")
    number = _own_laws(view)[slot - 1].number
    if number is None:
        raise IllegalAction("bad-slot", f"Slot {slot} has no number.")
    is_lowered = "up" not in command.options and _is_free(view, slot, number - 1)
    return {"type": "shift_number", "slot": slot, "number": number + (-1 if is_lowered else 1)}
