"""A log reveals to a seat nothing that it cannot know. Two worlds that differ only in hidden facts
give the seat the same lines, news, tokens and choices, byte for byte; only the digests of sealed
fields differ, and they are salted with an unknown secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import orjson
import pytest

from games import selectors
from games.audit.export_writer import ExportSource, export_entry, write_export
from tabularium_engines.base import IllegalAction
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.random_games import all_viewers, viewer_seat
from tabularium_engines.promises.variants import Table as Variant
from tabularium_engines.promises.variants import tables
from tabularium_log.projection.entry import OldBox, StoredEntry
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import Projection
from tests.games.sitting import SECRET, dealt_writer, later, play_on

WORLDS = 3
ACTIONS = 6  # of a seat, tried in each world
POSITIONS = 30  # of each game
DIGEST = re.compile("[0-9a-f]{64}")

VARIANTS = [variant for engine in ENGINES.values() for variant in tables(engine)]


@pytest.mark.lane("slow", core=4)
@pytest.mark.parametrize("variant", VARIANTS[::5], ids=str)
def test_nothing_shows_of_what_a_seat_cannot_know(
    variant: Variant, games_count: Callable[[int, int], int]
) -> None:
    about = variant.engine.about
    compared = 0
    for seed in range(games_count(2, 12)):
        scribe = dealt_writer(
            variant.seats, about.slug, options=json_codec.to_json(variant.options)
        )
        positions = play_on(scribe, seed, games_count(120, 100_000))
        stride = 1 + len(positions) // games_count(POSITIONS, 100_000)
        for table in positions[::stride]:
            if table.decided_outcome is None and table.phase == "playing":
                compared += compare(table, scribe.secret, seed)
    assert compared > 0


def compare(table: Projection, secret: bytes, seed: int) -> int:
    """Assert that possible next entries with equal views and news read the same to every viewer;
    the number of pairs compared."""
    compared = 0
    for viewer in all_viewers(table.state) if table.state else ():
        first_by_content: dict[bytes, tuple[Projection, str]] = {}
        line_by_content: dict[bytes, Any] = {}  # only where there is another to compare it with
        for after in islice(possible_entries(table, viewer, secret, seed), 60):
            content = orjson.dumps([view_of(after, viewer), news_of(after, viewer)])
            first = first_by_content.setdefault(content, after)
            if first is not after:
                compared += 1
                if content not in line_by_content:
                    line_by_content[content] = readable_text(first, viewer)
                line, other = line_by_content[content], readable_text(after, viewer)
                assert line == other, f"entry {after[0].seq} tells {viewer} {line}, or {other}"
    return compared


def possible_entries(
    table: Projection, viewer: int | None, secret: bytes, seed: int
) -> Iterator[tuple[Projection, str]]:
    """The table after one more entry, and its text, in several worlds that the viewer cannot
    distinguish."""
    assert table.state is not None
    for number in range(WORLDS):
        state = table.state.clone()
        state.determinize(viewer_seat(viewer), FastRng(WORLDS * seed + number))
        world = replace(table, state=state)
        for seat in table.engine.awaited_seats(state):
            if seat != viewer:
                for code in state.legal_actions(seat)[:ACTIONS]:
                    action = table.engine.decode(state, seat, code)
                    scribe = EntryWriter(secret, world, "0" * 64)
                    scribe.write(seat, table.engine.action_codec.to_json(action), later(1e6))
                    yield scribe.projection, scribe.rows[-1].text


def view_of(after: tuple[Projection, str], viewer: int | None) -> Any:
    """The viewer's view after the entry."""
    return after[0].engine.view(after[0].state, viewer)


def news_of(after: tuple[Projection, str], viewer: int | None) -> Any:
    """The news of the entry for the viewer."""
    return after[0].engine.news(after[0].state, viewer)


def readable_text(after: tuple[Projection, str], viewer: int | None) -> Any:
    """All that the viewer can read of the entry and of its next choice."""
    table, text = after
    row, create = StoredEntry(table.seq, text, "0" * 64, OldBox(table.seq, b"")), table.creation
    log = ExportSource(
        table.game,
        create,
        is_over=False,
        is_second_format=False,
        secret=SECRET,
        entries=[export_entry(row, table)],
    )
    export = write_export(log, "onlooker" if viewer is None else f"seat:{viewer}", b"\0" * 32)
    header, entry, reveal = islice(export, 3)  # the trailer behind them would have to be signed
    read: list[Any] = [DIGEST.sub("digest", line) for line in (header, entry)]
    read.append(reveal)  # the fields that the viewer may open, with the salts
    if viewer is None:
        return read
    choice = selectors.seat_choice(table, viewer)
    return [*read, table.choice_token(viewer), table.deadline, choice]


def test_a_fork_from_a_view_is_the_same_in_both_worlds() -> None:
    for slug, engine in ENGINES.items():
        table = play_on(dealt_writer(engine.about.seats[1], slug), most=9)[-1]
        assert table.state is not None
        for seat in range(table.creation.seats):
            twin = table.state.clone()
            twin.determinize(seat, FastRng(1))
            views = [json_codec.to_json(engine.view(state, seat)) for state in (table.state, twin)]
            assert views[0] == views[1]


def test_a_refusal_is_the_same_in_both_worlds() -> None:
    for slug, engine in ENGINES.items():
        table = play_on(dealt_writer(engine.about.seats[1], slug), most=9)[-1]
        assert table.state is not None
        for seat in range(table.creation.seats):
            imagined = table.state.clone()
            imagined.determinize(seat, FastRng(1))
            both_refusals = [
                refusals(replace(table, state=state), seat) for state in (table.state, imagined)
            ]
            assert both_refusals[0] == both_refusals[1]


def refusals(table: Projection, seat: int) -> list[str]:
    """The refusals that the seat gets for the other seats' actions."""
    assert table.state is not None
    outcomes = []
    for action in (kind for kind in table.engine.about.actions):
        document = {"type": table.engine.action_codec.type_of(action)}
        try:
            EntryWriter(b"\0" * 32, table, "").write(seat, document, later(1e6))
            outcomes.append("done")
        except IllegalAction as illegal:
            outcomes.append(f"{illegal.code} {illegal.sentence} {illegal.pointer}")
    return outcomes
