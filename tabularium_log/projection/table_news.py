"""The news of table entries: a sentence for each, which all may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tabularium_engines.common.english_text import name_within, player_name, pluralize, victory_text
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.news_formats import item_members, schema_title
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC, TABLE_ACTIONS, TYPE_PREFIX

NO_SEAT: Final = -1  # in news
Words = Mapping[str, Any]  # the members of the action, and the title of the game


def table_news(entry: Entry, title: str, reason: str = "") -> list[dict[str, Json]]:
    """The news of an entry of the table, in a game of that title; none of a game's own action. If
    it ends the game, perhaps with the reason in other words."""
    action: Any = entry.action
    kind: str = action["type"]
    if not kind.startswith(TYPE_PREFIX):
        return []
    seat = NO_SEAT if entry.seat is None else entry.seat
    words = {**action, "title": title, "reason": reason, "within": name_within(seat)}
    text = _SENTENCES[kind](player_name(seat), words)
    return [{"type": kind, "kind": kind.removeprefix(TYPE_PREFIX), "seat": seat, "text": text}]


def table_news_schemas() -> Iterator[dict[str, Json]]:
    """The JSON Schemas of the news of table entries, one for each type."""
    for kind in TABLE_ACTIONS:
        news_type = TABLE_ACTION_CODEC.type_of(kind)
        yield {
            "title": schema_title(kind),
            "description": f"An entry `{news_type}` in words.",
            "type": "object",
            **item_members(news_type, kind.kind),
        }


def _created(name: str, words: Words) -> str:
    rated = "rated table" if words.get("rated") else "table"
    text = f"A {rated} of {words['title']} for {pluralize(words['seats'], 'player')} is set up"
    if words.get("rematch"):
        text += f", a rematch of {words['rematch']}"
    origin = words["origin"]
    return f"{text}, from entry {origin['seq']} of {origin['game']}" if origin else text


def _joined(name: str, words: Words) -> str:
    player = f"the bot {words['bot']}" if words["bot"] else "a player"
    return f"{name} is taken by {player}"


def _ended(name: str, words: Words) -> str:
    result = words["result"]
    if result is None:
        return "The game ends without a result"
    victory = victory_text(result["winners"])
    reason = (words["reason"] or result["reason"]).removesuffix(".")
    return f"The game is over: {reason if victory in reason else f'{victory}. {reason}'}"


def _proposed(words: Words) -> str:
    return {
        "draw": "a draw",
        "end": "to end the game without a result",
        "takeback": f"to return to entry {words['to']}",
        "pause": "a pause",
    }[words["of"]]


_SENTENCES_BY_NAME: Final[Mapping[str, Callable[[str, Words], str]]] = {
    "create": _created,
    "join": _joined,
    "leave": lambda name, words: f"{name} is free again",
    "open_seed": lambda name, words: f"{name} reveals its seed",
    "start": lambda name, words: "The game starts",
    "resign": lambda name, words: f"{name} resigns",
    "time_out": lambda name, words: f"The time of {words['within']} has run out",
    "replace": lambda name, words: f"The bot {words['bot']} plays on for {words['within']}",
    "end": _ended,
    "abort": lambda name, words: f"{name} aborts the game",
    "propose": lambda name, words: f"{name} proposes {_proposed(words)}",
    "accept": lambda name, words: f"{name} accepts",
    "decline": lambda name, words: f"{name} declines",
    "takeback": lambda name, words: f"The game returns to entry {words['to']}",
    "pause": lambda name, words: "The game is paused",
    "resume": lambda name, words: "The game goes on",
    "claim": lambda name, words: f"{name} claims that {name_within(words['seat'])} has left",
    "expire": lambda name, words: "The game expires: nothing has happened for ninety days",
    "hint": lambda name, words: f"{name} takes a hint",
}
_SENTENCES: Final = {
    TABLE_ACTION_CODEC.type_of(kind): _SENTENCES_BY_NAME[kind.kind] for kind in TABLE_ACTIONS
}
