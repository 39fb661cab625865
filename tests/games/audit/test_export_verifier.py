"""The export verifier on long games, running games and hostile input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_format import MAX_LINE_BYTES
from tabularium_log.audit.export_reader import read_export, read_lines
from tabularium_log.audit.export_verifier import load_verified_game, verify_export
from tabularium_log.audit.verdict import Flaw
from tabularium_log.projection import table_actions
from tests.docs.verifier import VERIFIER
from tests.engines.lucky_draw import LuckyDraw
from tests.games.audit.forging import forged
from tests.games.audit.making import GameBuilder, new_plan, play_plan, start_plan
from tests.games.audit.mutating import mutations

ENTRIES = 2_000


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> LuckyDraw:
    """A small game that is the only registered engine."""
    lucky = LuckyDraw()
    ruleset = registry.Ruleset(lucky.about.slug, lucky.about.version)
    monkeypatch.setitem(registry.RULESETS, ruleset, lucky)
    return lucky


class TestALongGame:
    @pytest.fixture
    def lines(self, engine: LuckyDraw) -> list[bytes]:
        """More than two thousand entries, most of them joins and leaves before the game starts."""
        return play_plan(new_plan(engine, 3, 8, comings=ENTRIES // 2)).lines()

    def test_it_verifies_and_can_be_kept_elsewhere(self, lines: list[bytes]) -> None:
        verdict = verify_export(lines)
        assert verdict.is_good
        assert verdict.entries > ENTRIES
        assert VERIFIER.verify(lines)
        assert len(load_verified_game(lines).rows) == verdict.entries

    def test_its_reveal_has_a_line_for_every_thousand(self, lines: list[bytes]) -> None:
        reveals = [json.loads(line)["reveal"] for line in lines if line.startswith(b'{"reveal"')]
        assert [len(reveal["fields"]) > 0 for reveal in reveals] == [False, False, True]

    def test_its_head_is_signed_every_hundred(self, lines: list[bytes]) -> None:
        signed = [receipt.seq for receipt in read_export(lines).trailer.receipts]  # type: ignore[union-attr]
        assert signed[:3] == [100, 200, 300]
        assert signed[-1] == verify_export(lines).entries

    def test_a_change_far_behind_is_named(self, lines: list[bytes]) -> None:
        edited = [*lines[:1500], lines[1500].replace(b'"bot":null', b'"bot":"me"'), *lines[1501:]]
        if edited == lines:
            edited[1500] = lines[1502]
        assert verify_export(edited).line in (1501, 1502)


class TestAGameThatGoesOn:
    @pytest.fixture(params=ENGINES)
    def builder(self, request: pytest.FixtureRequest) -> GameBuilder:
        """A game of three, half played, with a secret vote or gift in its log."""
        plan = new_plan(ENGINES[request.param], 3, 3, has_seeds=True)
        return play_plan(replace(plan, stops_at=len(play_plan(plan).rows) // 2))

    def test_it_tells_a_seat_what_it_may_read_and_no_more(self, builder: GameBuilder) -> None:
        for seat in range(builder.plan.seats):
            revealed = read_export(builder.lines(f"seat:{seat}")).fields_by_seq
            readable = {
                str(table.seq): {
                    path for path, mask in table.field_readers.items() if mask >> seat & 1
                }
                for table in builder.tables
            }
            paths = {seq: set(fields) for seq, fields in revealed.items()}
            assert paths == {seq: paths for seq, paths in readable.items() if paths}
        assert not read_export(builder.lines("onlooker")).fields_by_seq

    def test_all_follow_the_same_chain(self, builder: GameBuilder) -> None:
        seats = [f"seat:{seat}" for seat in range(builder.plan.seats)]
        exports = [builder.lines(viewer) for viewer in ("onlooker", *seats)]
        assert len({tuple(lines[1:-2]) for lines in exports}) == 1
        assert len({lines[-1] for lines in exports}) == 1

    def test_it_does_not_tell_the_secret(self, builder: GameBuilder) -> None:
        lines = b"".join(builder.lines("seat:0"))
        assert builder.plan.secret.hex().encode() not in lines

    def test_both_verifiers_check_what_can_be_checked(self, builder: GameBuilder) -> None:
        lines = builder.lines("seat:0")
        assert verify_export(lines).is_good
        assert not verify_export(lines).is_over
        assert "is running" in VERIFIER.verify(lines)[1]

    @pytest.mark.lane("slow")
    def test_every_mutation_of_it_is_caught(self, builder: GameBuilder) -> None:
        lines = builder.lines("seat:0")
        other_lines = play_plan(new_plan(builder.plan.engine, 3, 4)).lines()
        sample = list(mutations(lines, other_lines, Random(1)))
        sample = [one for one in sample if one.applied(lines) != lines and "viewer" not in one.name]
        sample = sample[:: max(1, len(sample) // 400)]
        missed = [one.name for one in sample if verify_export(one.applied(lines)).is_good]
        assert missed == []

    def test_it_cannot_be_kept_elsewhere(self, builder: GameBuilder) -> None:
        with pytest.raises(Flaw, match="not over"):
            load_verified_game(builder.lines())


def test_the_viewer_is_a_label(engine: LuckyDraw) -> None:
    """It is not signed, and nothing depends on it."""
    builder = play_plan(new_plan(engine, 2))
    one, other = builder.lines("onlooker"), builder.lines("everything")
    assert one[1:] == other[1:]
    assert verify_export(one) == verify_export(other)


def test_a_line_that_is_far_too_long(tmp_path: Path) -> None:
    file = tmp_path / "long.ndjson"
    file.write_bytes(b"x" * (MAX_LINE_BYTES + 2) + b"\n")
    (line,) = [next(read_lines(file))]
    assert len(line) == MAX_LINE_BYTES + 1
    assert "longer than" in verify_export(read_lines(file)).sentence
    with pytest.raises(VERIFIER.Wrong, match="longer than"):
        VERIFIER.verify(VERIFIER.lines_of(str(file)))


@pytest.mark.parametrize("lines", [[], [b"\n"], [b"{}\n"], [b"[]\n"], [b"\xff\n"], [b"1\n"]])
def test_what_is_no_export(lines: list[bytes]) -> None:
    assert verify_export(lines).line == 1
    with pytest.raises(VERIFIER.Wrong):
        VERIFIER.verify(lines)


def positions() -> Iterator[Any]:
    """Malformed positions for a fork, as a stranger could send them."""
    yield from ([], 1, "x", {}, {"position": 1, "draws": [], "actions": []})
    yield {"seat": 0}
    yield {"position": None, "draws": [[0, 0]], "actions": [[0, 0, 0]]}


@pytest.mark.parametrize("position", list(positions()))
def test_a_position_that_trips_the_rules(engine: LuckyDraw, position: Any) -> None:
    """A stranger's fork may hold anything; it must be refused with a sentence, not crash."""
    builder = start_plan(new_plan(engine, 2))
    builder.write(0, table_actions.Resign())
    builder.write(None, table_actions.End(builder.plan.secret.hex(), builder.table.decided_outcome))

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        origin = {"game": builder.plan.game, "hash": "0" * 64, "seat": None, "seq": 1}
        entries[0]["action"]["origin"] = origin
        entries[3]["action"]["position"] = position

    verdict = verify_export(forged(builder, change))
    assert verdict.seq == 4
    assert verdict.sentence
