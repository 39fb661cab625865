"""Choices as a model reads them: offers with their numbers, and the beginnings of all the others.

The number of an offer is its place among all offers of the choice, on every page and under every
filter. It means nothing without the token of the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from tabularium_client import types
from tabularium_client.mcp_server.replies import Document, fitting, shown, without_nothing

OFFERS_ROOM: Final = 380  # bytes of the offers in the reply to an action
BEGINNINGS: Final = 16  # at most
OFFERS: Final = 40  # of a page
SHOWN_OF_CONSEQUENCES: Final = ("text", "to_act", "winners", "score_changes")
Words = tuple[str, ...]
Groups = dict[Words, list[int]]


@dataclass(frozen=True)
class Page:
    """Which offers are shown, and how: those whose label has the text `matching`, from the one at
    the place `first`, at most `limit` of them and `room` bytes."""

    matching: str = ""
    first: int = 0
    limit: int = OFFERS
    room: int = OFFERS_ROOM
    has_details: bool = False


def choice_document(choice: types.ChoiceView, page: Page = Page()) -> Document:
    """A choice, with a page of its offers; before the other pages, how their labels begin."""
    wanted = page.matching.casefold()
    found = [n for n, each in enumerate(choice["offers"]) if wanted in each["label"].casefold()]
    shown_offers = _shown(choice, found, page)
    document: Document = {
        "choice": choice["token"],
        "seat": choice["seat"],
        "is_awaited": choice["is_awaited"],
        "count": len(found),
        "offers": shown_offers,
    }
    if (following := page.first + len(shown_offers)) < len(found):
        document["next_first"] = following
        if page.first == 0:
            document |= _rest(choice, found, following)
    if choice["forms"]:
        document["words"] = [form["title"] for form in choice["forms"]]
    return document


def _shown(choice: types.ChoiceView, found: Sequence[int], page: Page) -> list[str | Document]:
    """The offers on a page. If it is the first of several, the beginnings of the others need most
    of its room."""
    wanted = found[page.first : page.first + page.limit]
    offers = [_offer(choice, number, page) for number in wanted]
    texts = [str(offer) for offer in offers]
    fit = fitting(texts, page.room)
    return offers[: fitting(texts, page.room // 3) if page.first == 0 < fit < len(found) else fit]


def _offer(choice: types.ChoiceView, number: int, page: Page) -> str | Document:
    """An offer in a line, or with its action and its certain consequences."""
    if not page.has_details:
        return _line(choice, number)
    offer = choice["offers"][number]
    certain = shown(offer["after"] or {}, SHOWN_OF_CONSEQUENCES)
    after = {name: each for name, each in certain.items() if each not in (None, "")}
    document = {"offer": number, "label": offer["label"], "action": offer["action"]}
    return document | ({"after": after} if after else {})


def _line(choice: types.ChoiceView, number: int) -> str:
    """The number and the label of an offer."""
    return f"{number} {choice['offers'][number]['label']}"


def _rest(choice: types.ChoiceView, found: Sequence[int], shown_count: int) -> Document:
    """How many labels begin alike, and the offers below that begin like no other one."""
    alike = beginnings({n: tuple(choice["offers"][n]["label"].split()) for n in found})
    alone = [only for only, *others in alike.values() if not others and only in found[shown_count:]]
    lines = [_line(choice, number) for number in alone]
    counts = {" ".join(begin): len(group) for begin, group in alike.items() if len(group) > 1}
    more = {"also": lines[: fitting(lines, OFFERS_ROOM // 3)], "beginnings": counts}
    return without_nothing({name: each or None for name, each in more.items()})


def beginnings(labels: dict[int, Words]) -> Groups:
    """Groups of labels that begin alike: the largest group is divided by its next word as long as
    there are few groups."""
    groups: Groups = {(): list(labels)}
    while True:
        for begin in sorted(groups, key=lambda each: -len(groups[each])):
            parts = _divided(labels, groups[begin])
            if 1 < len(parts) <= BEGINNINGS - len(groups) + 1:
                del groups[begin]
                groups |= parts
                break
        else:
            return groups


def _divided(labels: dict[int, Words], group: list[int]) -> Groups:
    """A group by the first word in which its labels differ."""
    columns = zip(*(labels[number] for number in group), strict=False)
    same = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns))
    parts: Groups = {}
    for number in group:
        parts.setdefault(labels[number][: same + 1], []).append(number)
    return parts
