"""Games among people: three verifiers agree about their exports, and about forgeries of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_verifier import verify_export
from tabularium_log.projection.table_actions import SECOND_FORMAT_TYPES
from tests.docs.test_second_verifier import is_good, second_verdicts
from tests.games.audit.forging import Change, forged
from tests.games.audit.making import GameBuilder, people_game
from tests.games.audit.mutating import Mutation, fixed_mutation, mutations
from tests.support.missing_requirements import lacks

pytestmark = [
    pytest.mark.lane("guides"),
    pytest.mark.skipif(lacks("node"), reason="the second verifier needs node"),
]
GAMES = 12  # of each ruleset


def builders(slug: str, count: int = GAMES) -> Iterator[GameBuilder]:
    """Games of a ruleset among people."""
    for number in range(1, count + 1):
        yield people_game(ENGINES[slug], number, seats=2 + number % 3)


@pytest.mark.parametrize("slug", ENGINES)
def test_all_verifiers_accept_them(slug: str, tmp_path: Path) -> None:
    formats = set()
    for builder in builders(slug):
        lines = builder.lines("onlooker")
        formats.add(json.loads(lines[0])["tabularium"])
        assert verify_export(lines).is_good
        assert is_good(lines)
        assert second_verdicts(tmp_path, lines)[0]["ok"]
    assert "export/2" in formats


def test_they_hold_all_that_people_can_do() -> None:
    kinds = {
        table.entry.action["type"]
        for builder in builders("law_of_the_dice", 60)
        for table in builder.tables
    }
    assert kinds >= SECOND_FORMAT_TYPES


@pytest.mark.parametrize("slug", ENGINES)
def test_both_verifiers_say_the_same_of_every_mutation(
    slug: str, games_count: Callable[[int, int], int], tmp_path: Path
) -> None:
    builder = people_game(ENGINES[slug], 3)
    lines, other_lines = builder.lines(), people_game(ENGINES[slug], 4).lines()
    sample = list(mutations(lines, other_lines, Random(3)))
    sample = sample[:: max(1, len(sample) * len(lines) // games_count(8_000, 10**9))]
    check_agreement(tmp_path, lines, sample)


def check_agreement(folder: Path, lines: list[bytes], sample: list[Mutation]) -> list[bool]:
    """The verdicts of the two published verifiers, which must be the same."""
    verdicts = [one["ok"] for one in second_verdicts(folder, lines, sample)]
    expected = [is_good(mutation.applied(lines)) for mutation in sample]
    differing = [
        mutation.name
        for mutation, verdict, right in zip(sample, verdicts, expected, strict=True)
        if verdict != right
    ]
    assert differing == []
    return verdicts


# -- a server that lies about an agreement --------------------------------------------------------


def lies(builder: GameBuilder) -> Iterator[tuple[str, Change]]:
    """Lies that a server could make consistent: it drops, moves, repeats and alters the entries by
    which people agree, then seals, chains and signs everything again."""
    kinds = [table.entry.action["type"] for table in builder.tables]
    for index, kind in enumerate(kinds):
        if kind not in SECOND_FORMAT_TYPES:
            continue
        yield f"{kind} {index} is missing", without(index)
        yield f"{kind} {index} is by another seat", altered(index, seat=other_seat)
        yield f"{kind} {index} is of the table", altered(index, seat=lambda seat: None)
        for member, change in MEMBERS.items():
            if member in builder.tables[index].entry.action:
                yield f"{kind} {index} has another {member}", altered(index, **{member: change})
    for index in range(len(kinds) - 1):
        if SECOND_FORMAT_TYPES & {kinds[index], kinds[index + 1]}:
            yield f"{index} and {index + 1} are exchanged", exchanged(index)
            yield f"{index} is early", altered(index, at=lambda at: "2026-01-02T03:04:05.678Z")
            yield f"{index} is late", altered(index, at=lambda at: "2026-12-31T03:04:05.678Z")


def other_seat(seat: Any) -> Any:
    return 1 if seat == 0 else 0


MEMBERS: dict[str, Callable[[Any], Any]] = {
    "of": lambda of: "draw" if of != "draw" else "end",
    "to": lambda to: 1 + (to or 1),
    "proposal": lambda proposal: proposal + 1,
    "then": lambda then: "random",
}


def altered(index: int, **parts: Callable[[Any], Any]) -> Change:
    """Alter members of an entry or of its action."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        for name, new in parts.items():
            entry = entries[index]
            holder = entry if name in entry else entry["action"]
            holder[name] = new(holder[name])

    return change


def without(index: int) -> Change:
    """Leave an entry out."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        del entries[index]
        renumber(fields, lambda seq: None if seq == index + 1 else seq - (seq > index + 1))

    return change


def exchanged(index: int) -> Change:
    """Exchange an entry and the next."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entries[index], entries[index + 1] = entries[index + 1], entries[index]
        places = {index + 1: index + 2, index + 2: index + 1}
        renumber(fields, lambda seq: places.get(seq, seq))

    return change


def renumber(fields: dict[str, Any], new_seq: Callable[[int], int | None]) -> None:
    """Give the revealed fields the numbers of their entries."""
    moved = [(new_seq(int(seq)), values) for seq, values in fields.items()]
    fields.clear()
    fields.update({str(seq): values for seq, values in moved if seq is not None})


@pytest.mark.parametrize("slug", ["law_of_the_dice", "law"])
def test_the_verifiers_agree_about_lies(slug: str, tmp_path: Path) -> None:
    caught = 0
    for builder in builders(slug, 3):
        if builder.table.phase != "over":
            continue
        lines = builder.lines("everything")
        forgeries = [forged(builder, change) for _, change in lies(builder)]
        names = [name for name, _ in lies(builder)]
        sample = [
            fixed_mutation(name, 0, len(lines), *new)
            for name, new in zip(names, forgeries, strict=True)
        ]
        verdicts = check_agreement(tmp_path, lines, sample)
        for name, new, verdict in zip(names, forgeries, verdicts, strict=True):
            if verify_export(new).is_good:
                assert verdict, name  # the rules refuse all that a verifier without them does
        caught += verdicts.count(False)
    assert caught >= 100
