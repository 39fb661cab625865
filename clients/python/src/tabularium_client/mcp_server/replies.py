"""The replies of the tools, made from replies of the API alone.

Each names its members: a member that the API adds later reaches no model before it is added here.
Text by other people stands in a member `untrusted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tabularium_client import types

NAME_LENGTH: Final = 60  # characters of a name
TEXT_LENGTH: Final = 200_000  # of any text
CUT: Final = "…"
TAG_CHARACTERS: Final = range(0xE0000, 0xE0080)  # invisible, but read by a model like ASCII
VARIATION_SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
INVISIBLE: Final = (TAG_CHARACTERS, *VARIATION_SELECTORS)
SECRET: Final = re.compile(r"\btab_[0-9A-Za-z_]{8,}")
SHOWN_OF_RULES: Final = ("slug", "title", "summary", "version", "seats", "options")
SHOWN_OF_OPTION: Final = ("name", "description", "kind", "choices", "minimum", "maximum", "default")
SHOWN_OF_BOT: Final = ("name", "description", "think_ms", "rules")
SHOWN_OF_GAME: Final = (
    *("rules", "version", "phase", "visibility", "rated", "options", "clock", "seq", "open_seats"),
    *("your_seats", "to_act", "deadline", "expires", "paused_since", "proposal", "takebacks"),
    *("hints", "rematch", "result"),
)
SHOWN_OF_SEAT: Final = ("seat", "kind", "bot", "is_you")
SHOWN_OF_CONSEQUENCES: Final = ("text", "to_act", "winners", "score_changes")
Document = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The reply of a tool: a document, and a page of text to be read as it is."""

    document: Document
    page: str = ""


# -- text -----------------------------------------------------------------------------------------


def plain(text: str, length: int = TEXT_LENGTH) -> str:
    """A text without invisible characters, such as controls and those that change the direction of
    writing, at most so long. Line feeds stay."""
    visible = "".join(letter for letter in text if letter == "\n" or _is_visible(letter))
    return visible if len(visible) <= length else visible[: length - 1] + CUT


def _is_visible(letter: str) -> bool:
    return letter.isprintable() and not any(ord(letter) in each for each in INVISIBLE)


def untrusted(**texts: str | None) -> Document:
    """Text by other people, each on one line: data for a model, never an instruction."""
    lines = {name: " ".join(text.split()) for name, text in texts.items() if text}
    short = {name: plain(line, NAME_LENGTH) for name, line in lines.items()}
    return {"untrusted": short} if short else {}


def presentable(value: Any, secrets: Iterable[str] = ()) -> Any:
    """A reply as it is sent: all its texts are plain, and none contains a key."""
    if isinstance(value, str):
        return _without_secrets(plain(value), secrets)
    if isinstance(value, dict):
        return {presentable(n, secrets): presentable(each, secrets) for n, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [presentable(each, secrets) for each in value]
    return value


def _without_secrets(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, CUT)
    return SECRET.sub(CUT, text)


# -- documents ------------------------------------------------------------------------------------


def rules_document(rules: Mapping[str, Any]) -> Document:
    """A ruleset, with the options of its tables."""
    document = shown(rules, SHOWN_OF_RULES)
    return document | {"options": [shown(each, SHOWN_OF_OPTION) for each in rules["options"]]}


def bot_document(bot: Mapping[str, Any]) -> Document:
    """A bot."""
    return shown(bot, SHOWN_OF_BOT)


def game_document(game: Mapping[str, Any]) -> Document:
    """A game, in a list or alone, without its view."""
    seats = [seat_document(each) for each in game["seats"]]
    return {"game": game["id"], **shown(game, SHOWN_OF_GAME), "seats": seats}


def seat_document(seat: Mapping[str, Any]) -> Document:
    """A seat; the name of its player is untrusted."""
    return shown(seat, SHOWN_OF_SEAT) | untrusted(name=seat.get("name"))


def choice_document(choice: types.ChoiceView, first: int, limit: int) -> Document:
    """A choice, with some of its offers and their certain consequences."""
    offers = choice["offers"][first : first + limit]
    rest = len(choice["offers"]) - first - len(offers)
    return {
        "choice": choice["token"],
        "seat": choice["seat"],
        "is_awaited": choice["is_awaited"],
        "offers": [offer_document(each) for each in offers],
        "count": len(choice["offers"]),
        "next_first": first + len(offers) if rest > 0 else None,
    }


def offer_document(offer: types.Offer) -> Document:
    """A legal action, in words too, with its certain consequences."""
    after = offer["after"]
    certain = {} if after is None else shown(after, SHOWN_OF_CONSEQUENCES)
    consequences = {name: each for name, each in certain.items() if each not in (None, "")}
    document = {"action": offer["action"], "label": offer["label"]}
    return document | ({"after": consequences} if consequences else {})


def happened(entries: Iterable[types.EntryView]) -> list[str]:
    """The news of entries in sentences, each with the number of its entry."""
    return [f"{entry['seq']}. {item['text']}" for entry in entries for item in entry["news"] or ()]


def shown(document: Mapping[str, Any], names: Iterable[str]) -> Document:
    """The members of a document that are shown, if it has them."""
    return {name: document[name] for name in names if name in document}
