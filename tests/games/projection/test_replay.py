"""A table is the same however its log is folded: live, entry by entry, in one run, in pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from random import Random
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_engines.duel_of_law.laws.clause_codes import clause_of_fields
from tabularium_engines.duel_of_law.laws.clause_text import clause_sentence
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.fairness.encryption import UnlockError, game_cipher
from tabularium_log.projection.entry import (
    Entry,
    StoredColumns,
    StoredEntry,
    decrypt_entry,
    entry_content,
)
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_contents, replay_entry
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import (
    SECOND_FORMAT_TYPES,
    Clock,
    Join,
    Leave,
    OpenSeed,
    Replace,
    Resign,
    TimeOut,
)
from tests.games import sitting
from tests.games.people import people_game
from tests.games.sitting import SEED, later, seed_hash, some_action, whole_log

CLOCK = Clock(1000, "bot")
EVENTS = ("act", "act", "act", "act", "act", "act", "resign", "replace", "time_out", "wait")


def entries_of(scribe: EntryWriter) -> list[Entry]:
    """The whole log, decrypted."""
    cipher = game_cipher(scribe.secret, scribe.projection.game)
    return [decrypt_entry(cipher, row) for row in scribe.rows]


def table_fields(table: Projection) -> dict[str, Any]:
    """All fields of a table, its state as plain numbers."""
    plain = {f.name: getattr(table, f.name) for f in fields(table)}
    state = table.state
    points = [(*point[:2], point.state.contents(), point[3]) for point in table.takeback_points]
    return plain | {
        "state": state and state.contents(),
        "takeback_points": points,
        "news": table.news(0),
    }


def random_game(slug: str, seats: int, seed: int) -> EntryWriter:
    """A game with all that may happen at a table, tried at random; refused attempts are skipped."""
    chance, clock = Random(seed), 0.0
    scribe = sitting.new_writer(seats, slug, clock=CLOCK)
    while scribe.projection.phase == "gathering":
        clock += 1
        seat = chance.randrange(seats)
        join_with_seed = Join(seed_hash=seed_hash())
        attempt(
            scribe,
            seat,
            chance.choice([Join(bot="random"), join_with_seed, join_with_seed, Leave()]),
            clock,
        )
        if all(scribe.projection.occupants):
            for other in range(seats):
                attempt(scribe, other, OpenSeed(SEED), clock)
        scribe.start_if_complete(later(clock))
    while scribe.projection.phase == "playing":
        clock += chance.random()
        event, seat = chance.choice(EVENTS), chance.randrange(seats)
        if event == "act":
            attempt(
                scribe, *some_action(scribe.projection, FastRng(chance.randrange(10**6))), clock
            )
        elif event == "wait":
            clock += 2 * chance.random()
        elif event == "resign" and chance.random() < 0.95:
            continue
        else:
            departures = {
                "resign": Resign(),
                "replace": Replace("greedy"),
                "time_out": TimeOut("bot"),
            }
            attempt(scribe, seat, departures[event], clock)
        scribe.end_if_due(later(clock))
    return scribe


def attempt(scribe: EntryWriter, seat: int, action: Any, seconds: float) -> None:
    """Write the entry, unless it is refused."""
    try:
        scribe.write(seat, action, later(seconds))
    except (GameRefusal, IllegalAction):
        return


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("slug", ENGINES)
def test_a_table_is_the_same_however_it_is_folded(
    slug: str, games_count: Callable[[int, int], int]
) -> None:
    fewest, most = ENGINES[slug].about.seats
    for seed in range(games_count(6, 300)):
        seats = fewest + seed % (most - fewest + 1)
        scribe = (people_game if seed % 2 else random_game)(slug, seats, seed)
        first, *later_entries = entries_of(scribe)
        contents = list(map(entry_content, later_entries))
        table = create_projection(scribe.projection.game, first)
        step_by_step = [table]
        for entry in later_entries:
            step_by_step.append(replay_entry(step_by_step[-1], entry))
        assert table_fields(step_by_step[-1]) == table_fields(scribe.projection)
        for seq in {*range(2, len(step_by_step), 7), len(step_by_step) - 1}:
            at_once = replay_contents(table, contents[: seq - 1])
            assert table_fields(at_once) == table_fields(step_by_step[seq - 1])
            middle = seq // 2
            in_pieces = replay_contents(
                replay_contents(table, contents[:middle]), contents[middle : seq - 1]
            )
            assert table_fields(in_pieces) == table_fields(step_by_step[seq - 1])


def test_everything_that_can_happen_does() -> None:
    kinds = {
        e.action["type"] for n in range(40) for e in entries_of(random_game(sitting.SLUG, 3, n))
    }
    kinds_of_events = (
        "join",
        "leave",
        "open_seed",
        "start",
        "resign",
        "time_out",
        "replace",
        "end",
    )
    assert {f"table.{kind}" for kind in kinds_of_events} < kinds
    among_people = {
        entry.action["type"]
        for seed in range(80)
        for entry in entries_of(people_game("law_of_the_dice", 2, seed))
    }
    assert among_people >= SECOND_FORMAT_TYPES


@pytest.mark.parametrize("change", ["action", "draws", "seat", "missing", "twice"])
def test_a_log_that_was_altered_breaks(change: str) -> None:
    entries = entries_of(whole_log(3, 2))
    first, later_entries = entries[0], entries[1:]
    index = next(
        n for n, e in enumerate(later_entries) if e.draws and not e.action["type"].startswith("t")
    )
    entry = later_entries[index]
    (value, limit), *more = entry.draws or ((0, 0),)
    replacement = {
        "action": [entry._replace(action={"type": "law_of_the_dice.decline"})],
        "draws": [entry._replace(draws=((value, limit + 1), *more))],
        "seat": [entry._replace(seat=((entry.seat or 0) + 1) % 3)],
        "missing": [],
        "twice": [entry, entry],
    }[change]
    log = [*later_entries[:index], *replacement, *later_entries[index + 1 :]]
    assert_breaks(sitting.SLUG, first, log)


def assert_breaks(game: str, first: Entry, log: list[Entry]) -> None:
    """Assert that both ways of folding break at the same entry."""
    with pytest.raises(BrokenLog) as bulk_error:
        replay_contents(create_projection(game, first), map(entry_content, log))
    with pytest.raises(BrokenLog) as step_error:
        reduce(replay_entry, log, create_projection(game, first))
    assert bulk_error.value.seq == step_error.value.seq


@pytest.mark.parametrize("form", ["short", "said"])
def test_a_log_holds_actions_in_full(form: str) -> None:
    entries = entries_of(whole_log(2, 3, "duel_of_law"))
    first, log = entries[0], entries[1:]
    index = next(n for n, entry in enumerate(log) if entry.action["type"] == "duel_of_law.claim")
    claim = dict(log[index].action)
    clause = clause_of_fields(**{name: claim[name] for name in claim if name != "type"})
    short = {name: claim[name] for name in claim if claim[name] not in ("", "forward")}
    said = {"type": claim["type"], "law": clause_sentence(clause)}
    log[index] = log[index]._replace(action={"short": short, "said": said}[form])
    assert_breaks("duel_of_law", first, log)


def test_a_box_opens_in_its_own_place_only() -> None:
    scribe = whole_log()
    cipher = game_cipher(scribe.secret, scribe.projection.game)
    row = next(row for row in scribe.rows if columns_of(row).box)
    first, *rest = columns_of(row).box
    changes = ({"seq": row.seq + 1}, {"box": bytes([first ^ 1, *rest])})
    for change in changes:
        columns: Any = columns_of(row)._replace(**change)
        with pytest.raises(UnlockError):
            decrypt_entry(cipher, replace(row, columns=columns))


def columns_of(row: StoredEntry) -> StoredColumns:
    """The columns of an entry, which is not in the old table."""
    assert isinstance(row.columns, StoredColumns)
    return row.columns
