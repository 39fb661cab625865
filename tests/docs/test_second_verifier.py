"""docs/fairness.md is sufficient: a JavaScript verifier, written from that page alone, agrees with
docs/verify.py on games and their mutations."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_format import LeafKind
from tests.docs import short_game
from tests.docs.record_vectors import proven
from tests.docs.verifier import VERIFIER, CommonBeginning
from tests.games.audit.forging import Change, first_of, forged
from tests.games.audit.making import GameBuilder, Plan, new_plan, plans, play_plan
from tests.games.audit.mutating import Mutation, fixed_mutation, mutations
from tests.support.missing_requirements import lacks

NODE = shutil.which("node")
SECOND = Path(__file__).with_name("verifier.mjs")

pytestmark = [
    pytest.mark.lane("guides"),
    pytest.mark.skipif(lacks("node"), reason="the second verifier needs node"),
]


def is_good(lines: Sequence[bytes]) -> bool:
    """The verdict of the first verifier."""
    try:
        VERIFIER.verify(lines)
    except VERIFIER.Wrong:
        return False
    return True


def are_good(lines: Sequence[bytes], sample: Sequence[Mutation]) -> list[bool]:
    """The first verifier's verdicts on mutations of a game, and in full on every hundredth."""
    beginning, verdicts = CommonBeginning(lines), list[bool]()
    for number, mutation in enumerate(sample):
        mutated = mutation.applied(lines)
        try:
            beginning.verify(mutated, mutation.first)
        except VERIFIER.Wrong:
            verdicts.append(False)
        else:
            verdicts.append(True)
        assert number % 100 or verdicts[-1] == is_good(mutated)
    return verdicts


def second_verdicts(
    folder: Path, lines: Sequence[bytes], sample: Sequence[Mutation] = ()
) -> list[Any]:
    """The second verifier's verdicts on a game, or on its mutations."""
    game, file = folder / "game.ndjson", folder / "mutations.ndjson"
    game.write_bytes(b"".join(lines))
    encoded = [
        {"first": one.first, "old": one.old, "lines": [b64encode(new).decode() for new in one.new]}
        for one in sample
    ]
    file.write_text("".join(json.dumps(one) + "\n" for one in encoded))
    command = [str(NODE), str(SECOND), str(game), *([str(file)] if sample else [])]
    process = subprocess.run(command, capture_output=True, check=True)
    return [json.loads(line) for line in process.stdout.splitlines()]


def games() -> Iterator[Any]:
    """A few games of each kind, finished and unfinished."""
    for slug, engine in ENGINES.items():
        for plan in [*plans(engine), new_plan(engine, 3, 3, has_seeds=True, stops_at=20)]:
            yield pytest.param(plan, id=f"{slug}-{plan.number}")


@pytest.mark.parametrize("plan", list(games()))
def test_both_say_the_same_of_every_mutation(
    plan: Plan, games_count: Callable[[int, int], int], tmp_path: Path
) -> None:
    lines = play_plan(plan).lines("seat:0")
    other_lines = play_plan(Plan(plan.engine, plan.seats, 99)).lines("onlooker")
    sample = list(mutations(lines, other_lines, Random(plan.number)))
    sample = sample[:: max(1, len(sample) * len(lines) // games_count(40_000, 10**9))]
    assert [one["ok"] for one in second_verdicts(tmp_path, lines)] == [is_good(lines)] == [True]
    verdicts = [one["ok"] for one in second_verdicts(tmp_path, lines, sample)]
    assert [
        mutation.name
        for mutation, verdict, first_verdict in zip(
            sample, verdicts, are_good(lines, sample), strict=True
        )
        if verdict != first_verdict
    ] == []


def proof_mutations(kind: LeafKind) -> tuple[list[bytes], list[Mutation]]:
    """An export with a proof from the record; its mutations around the proof, and one for each of
    some bytes in each place of the proof."""
    engine = next(iter(ENGINES.values()))
    lines = proven(play_plan(new_plan(engine, 2, 5)).lines(), kind)
    other_lines = proven(play_plan(new_plan(engine, 2, 6)).lines(), kind)
    every = mutations(lines, other_lines, Random(kind))
    changed = [one for one in every if one.first == 0 or one.first >= len(lines) - 2]
    replaced = [
        fixed_mutation(f"byte {at} to {byte}", len(lines) - 1, 1, with_byte(lines[-1], at, byte))
        for at in range(len(lines[-1]))
        for byte in b"0 A"
    ]
    return lines, [*changed, *replaced]


@pytest.mark.parametrize("kind", ["game/1", "blind/1"])
def test_both_say_the_same_of_every_mutation_of_a_proof(kind: LeafKind, tmp_path: Path) -> None:
    lines, sample = proof_mutations(kind)
    assert len(sample) > 1_000
    assert [one["ok"] for one in second_verdicts(tmp_path, lines)] == [is_good(lines)] == [True]
    verdicts = [one["ok"] for one in second_verdicts(tmp_path, lines, sample)]
    goods = are_good(lines, sample)
    differing = [
        one.name for one, *both in zip(sample, verdicts, goods, strict=True) if len({*both}) > 1
    ]
    assert differing == []
    assert 0 < goods.count(True) < len(sample) // 3  # of the signature, which needs a key


def with_byte(line: bytes, at: int, byte: int) -> bytes:
    """The line with another byte."""
    return line[:at] + bytes([byte]) + line[at + 1 :]


def test_it_reads_the_vectors(tmp_path: Path) -> None:
    lines = [line.encode() + b"\n" for line in short_game.export()]
    assert second_verdicts(tmp_path, lines) == [{"ok": True, "level": 0}]


def lies(builder: GameBuilder) -> Iterator[tuple[str, Change]]:
    """Lies that a server could make consistent, by name: it seals, chains and signs all of them."""
    start, action_seq = first_of(builder, "start"), first_of(builder, "")
    parts: list[tuple[str, int, str, Any]] = [
        ("nothing", 1, "", None),
        ("draws that are none", start, "/draws", "x"),
        ("a draw of three numbers", start, "/draws", [[0, 1, 2]]),
        ("a draw below nothing", start, "/draws", [[0, 0]]),
        ("no draws", start, "/draws", []),
        ("a sealed type", action_seq, "/action/type", "x"),
        ("a sealed field of no name", action_seq, "/action/", "x"),
        ("a field that is there twice", action_seq, "/draws/more", "x"),
    ]
    for name, seq, path, value in parts:
        yield name, sealing(seq, path, value)
    for at in ("2026-02-30T00:00:00.000Z", "9999-12-31T24:00:00.000Z", "9999-12-31T23:59:60.000Z"):
        yield at, putting(-1, "at", at)
    for name, value in (("seat", True), ("seat", -1), ("action", None), ("action", [])):
        yield f"{name} {value}", putting(last_open_action(builder), name, value)


def last_open_action(builder: GameBuilder) -> int:
    """The index of the last entry of a seat whose action is not sealed as a whole."""
    entries = [json.loads(row.text) for row in builder.rows]
    return max(
        index
        for index, entry in enumerate(entries)
        if entry["seat"] is not None and entry["action"] is not None
    )


def putting(index: int, name: str, value: Any) -> Change:
    """A change that puts another value in an entry."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entries[index][name] = value

    return change


def sealing(seq: int, path: str, value: Any) -> Change:
    """A change that seals another value at a path."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        if path:
            fields.setdefault(str(seq), {})[path] = value

    return change


@pytest.mark.parametrize("slug", ENGINES)
def test_both_say_the_same_of_every_lie(slug: str, tmp_path: Path) -> None:
    builder = play_plan(new_plan(ENGINES[slug], 3, 5, has_seeds=True))
    lines = builder.lines()
    forgeries = [(name, forged(builder, change)) for name, change in lies(builder)]
    replacements = [fixed_mutation(name, 0, len(lines), *new) for name, new in forgeries]
    verdicts = [one["ok"] for one in second_verdicts(tmp_path, lines, replacements)]
    assert verdicts == [is_good(new) for _, new in forgeries]
    assert verdicts[0]
    assert verdicts.count(True) == 2  # missing draws: found only by a check of the rules
