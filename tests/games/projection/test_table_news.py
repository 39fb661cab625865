"""The news of table entries: a sentence for each, the same for all viewers."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC, Clock, Origin, Outcome
from tabularium_log.projection.table_news import table_news
from tests.games.sitting import NOON, SECRET, dealt_writer, new_writer, play_on, whole_log


def texts(writer: EntryWriter, viewer: int | None = None) -> list[str]:
    """The news of the last entry, in words."""
    return [str(item["text"]) for item in writer.projection.news(viewer)]


def told(writer: EntryWriter, seat: int | None, action: Any) -> dict[str, Any]:
    """The only item of the news of this action of the table."""
    table = writer.write(seat, action, NOON)
    (item,) = table.news(0)
    assert [table.news(viewer) for viewer in (1, None)] == [[item], [item]]
    return item


def test_a_table_is_told_of_from_its_creation_to_its_end() -> None:
    writer = new_writer(3)
    assert writer.projection.news(None) == [
        {
            "type": "table.create",
            "kind": "create",
            "seat": -1,
            "text": "A table of Law of the Dice for 3 players is set up",
        }
    ]
    assert told(writer, 1, table_actions.Join()) == {
        "type": "table.join",
        "kind": "join",
        "seat": 1,
        "text": "Seat 1 is taken by a player",
    }
    assert told(writer, 1, table_actions.Leave())["text"] == "Seat 1 is free again"
    joined = told(writer, 1, table_actions.Join("greedy"))
    assert joined["text"] == "Seat 1 is taken by the bot greedy"
    for seat in (0, 2):
        told(writer, seat, table_actions.Join())
    writer.start_if_complete(NOON)
    assert texts(writer)[0] == "The game starts"
    assert told(writer, 0, table_actions.Resign())["text"] == "Seat 0 resigns"
    replaced = told(writer, 0, table_actions.Replace("random"))
    assert replaced["text"] == "The bot random plays on for seat 0"


def test_clocks_and_seeds_are_told_of() -> None:
    seeds = [table for _, table in whole_log().written_entries if table.seq == 4]
    assert [item["text"] for item in seeds[0].news(1)] == ["Seat 0 reveals its seed"]
    writer = dealt_writer(clock=Clock(1000, "resign"))
    seat = writer.projection.engine.awaited_seats(writer.projection.state)[0]
    late = writer.write(seat, table_actions.TimeOut("resign"), NOON.replace(hour=13))
    assert [item["text"] for item in late.news(None)] == [f"The time of seat {seat} has run out"]


def test_an_end_names_the_winners_once() -> None:
    played = dealt_writer()
    play_on(played)
    outcome = played.projection.outcome
    assert outcome is not None
    assert texts(played) == [f"The game is over: {outcome.reason.removesuffix('.')}"]
    resigned = dealt_writer()
    resigned.write(0, table_actions.Resign(), NOON)
    resigned.end_if_due(NOON)
    assert texts(resigned) == ["The game is over: Seat 1 wins. Everybody else has resigned"]
    called_off = new_writer()
    ended = told(called_off, None, table_actions.End(SECRET.hex()))
    assert ended["text"] == "The game ends without a result"
    shared = TABLE_ACTION_CODEC.to_json(table_actions.End("", Outcome((0, 2), (1, 0, 1), "A tie.")))
    (item,) = table_news(Entry(None, "", shared), "Law")
    assert item["text"] == "The game is over: Seats 0 and 2 share the victory. A tie"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"rated": True}, "A rated table of Law for 2 players is set up"),
        (
            {"origin": Origin("game_1", 7, "", None)},
            "A table of Law for 2 players is set up, from entry 7 of game_1",
        ),
    ],
)
def test_a_creation_tells_its_conditions(fields: dict[str, Any], text: str) -> None:
    create = table_actions.Create("law", 2, "", 2, {}, "", "", **fields)
    (item,) = table_news(Entry(None, "", TABLE_ACTION_CODEC.to_json(create)), "Law")
    assert item["text"] == text


def test_actions_of_the_game_have_their_own_news_alone() -> None:
    (_, after, *_) = play_on(dealt_writer(), most=2)
    items = after.news(None)
    assert items
    assert not any("type" in item for item in items)
