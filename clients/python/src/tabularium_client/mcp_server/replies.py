"""The replies of the tools, made from replies of the API alone.

Each names its members: a member that the API adds later reaches no model before it is added here.
Text by other people stands in a member `untrusted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Any, Final

from tabularium_client import types

NAME_LENGTH: Final = 60  # characters of a name
TEXT_LENGTH: Final = 200_000  # of any text
CUT: Final = "…"
TAG_CHARACTERS: Final = range(0xE0000, 0xE0080)  # invisible, but read by a model like ASCII
VARIATION_SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
INVISIBLE: Final = (TAG_CHARACTERS, *VARIATION_SELECTORS)
SECRET: Final = re.compile(r"\btab_[0-9A-Za-z_]{8,}")
NEWS_ROOM: Final = 400  # bytes of the news in a reply
SHOWN_OF_RULES: Final = ("title", "summary", "version", "seats")
SHOWN_OF_BOT: Final = ("name", "description", "think_ms", "rules")
SHOWN_OF_STANDING: Final = ("deadline", "paused_since", "ending", "result")
SHOWN_OF_GAME: Final = (
    *("rules", "version", "phase", "visibility", "rated", "options", "clock", "seq", "open_seats"),
    *(
        "your_seats",
        "to_act",
        *SHOWN_OF_STANDING,
        "expires",
        "takebacks",
        "hints",
        "rematch",
        "next",
    ),
)
SHOWN_OF_SEAT: Final = ("seat", "kind", "bot", "is_you")
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
    """A ruleset."""
    return {"rules": rules["slug"], **shown(rules, SHOWN_OF_RULES)}


def bot_document(bot: Mapping[str, Any]) -> Document:
    """A bot."""
    return shown(bot, SHOWN_OF_BOT)


def game_document(game: Mapping[str, Any]) -> Document:
    """A game, in a list or alone, without its view; the invitations to it, if it is new."""
    seats = [seat_document(each) for each in game["seats"]]
    document = {"game": game["id"], **shown(game, SHOWN_OF_GAME), "seats": seats}
    if made := game.get("invitations"):
        document["invitations"] = [invitation_document(each) for each in made]
    return without_nothing(document)


def invitation_document(made: Mapping[str, Any]) -> Document:
    """An invitation, which is made to be passed on."""
    return {"game": made["game"], "seat": made["seat"], "invitation": made["secret"]}


def standing_document(game: types.GameView) -> Document:
    """Who has to act in a game now, and all that it asks of your seats."""
    choice, proposal = game["choice"], game["proposal"]
    document: Document = {
        "game": game["id"],
        "seq": game["seq"],
        "phase": game["phase"],
        "your_turn": choice is not None and choice["is_awaited"],
        "game_over": game["phase"] == "over",
        "to_act": game["to_act"],
    }
    if proposal is not None:
        asks = [seat for seat in game["your_seats"] if seat in proposal["asked"]]
        document["proposal"] = {**proposal, "asks": asks}
    return document | without_nothing(shown(game, SHOWN_OF_STANDING))


def without_nothing(document: Mapping[str, Any]) -> Document:
    """A document without the members that are null."""
    return {name: each for name, each in document.items() if each is not None}


def seat_document(seat: Mapping[str, Any]) -> Document:
    """A seat; the name of its player is untrusted."""
    return without_nothing(shown(seat, SHOWN_OF_SEAT)) | untrusted(name=seat.get("name"))


def news_document(log: types.LogPage, after: int) -> Document:
    """The news since an entry, in order, as far as there is room: `seq` is the last entry of them,
    from which one reads on."""
    entries = log["items"]
    texts = [" ".join(happened([entry])) for entry in entries]
    told = entries[: fitting(texts, NEWS_ROOM)]
    is_cut = len(told) < len(entries) or log["next_after"] is not None
    document: Document = {"seq": told[-1]["seq"] if told else after, "happened": happened(told)}
    return document | ({"has_more_news": True} if is_cut else {})


def happened(entries: Iterable[types.EntryView]) -> list[str]:
    """The news of entries in sentences, each with the number of its entry."""
    return [f"{entry['seq']}. {item['text']}" for entry in entries for item in entry["news"] or ()]


def shown(document: Mapping[str, Any], names: Iterable[str]) -> Document:
    """The members of a document that are shown, if it has them."""
    return {name: document[name] for name in names if name in document}


def fitting(texts: Iterable[str], room: int) -> int:
    """How many of these texts, each in quotes and after a comma, take so many bytes; at least
    one."""
    sizes = accumulate(len(text.encode()) + 3 for text in texts)
    return max(1, sum(1 for _ in takewhile(lambda size: size <= room, sizes)))
