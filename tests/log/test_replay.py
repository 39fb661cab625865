"""Games replayed offline by the library: the positions are those of the server that played them,
and an export that is flawed or not over is refused."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg
from tabularium_engines.common.random_generators import ReplayingRng
from tabularium_engines.installed.registry import RULESETS
from tabularium_log import replay as replays
from tabularium_log.replay import KEPT_EVERY, Flaw, GameReplay, RulesetNotInstalled, replay
from tests.games.audit.making import LONG, OTHER_KEY, GameBuilder, new_plan, play_plan

SEATS: Final = 3
PLAIN: Final = next(iter(RULESETS.values()))


@cache
def played(engine: AnyEngine) -> GameBuilder:
    """A game by random players, who resign after a while. No test changes it."""
    return play_plan(new_plan(engine, SEATS, 7, has_seeds=True, ends_at=LONG))


@pytest.fixture(scope="module")
def builder() -> GameBuilder:
    """A game of more entries than are kept with one position."""
    made = played(PLAIN)
    assert len(made.tables) > 2 * KEPT_EVERY
    return made


@pytest.fixture(scope="module")
def game(builder: GameBuilder) -> GameReplay:
    """The same game, replayed."""
    return replay(builder.lines())


@pytest.mark.parametrize("engine", RULESETS.values(), ids=map(str, RULESETS))
class TestEveryRuleset:
    def test_its_positions_are_those_that_were_played(self, engine: AnyEngine) -> None:
        builder = played(engine)
        game = replay(builder.lines())
        assert [table.entry for table in builder.tables] == game.entries
        assert (game.game, game.seats) == (builder.plan.game, builder.plan.seats)
        assert game.outcome == builder.table.outcome
        for table, again in zip(builder.tables, game.tables(), strict=True):
            assert again.seq == table.seq
            if table.state is None:
                assert again.state is None
                continue
            for seat in (*range(game.seats), None):
                assert engine.view(again.state, seat) == engine.view(table.state, seat)

    @pytest.mark.lane("slow", core=3)
    def test_its_decisions_lead_from_position_to_position(self, engine: AnyEngine) -> None:
        game = replay(played(engine).lines())
        decisions = list(game.decisions())
        assert [each.seq for each in decisions] == [
            seq
            for seq, entry in enumerate(game.entries, start=1)
            if entry.seat is not None and not entry.action["type"].startswith("table.")
        ]
        for decision in decisions:
            assert decision.state.is_legal(decision.seat, decision.code)
            state = decision.state.clone()
            draws = game.entries[decision.seq - 1].draws
            state.apply(decision.seat, decision.code, ReplayingRng(list(draws or ())))
            for seat in (*range(game.seats), None):
                assert engine.view(state, seat) == game.view(seat, decision.seq)

    def test_what_a_seat_was_offered(self, engine: AnyEngine) -> None:
        """As a client of a server sees it, in JSON."""
        for decision in list(replay(played(engine).lines()).decisions())[::7]:
            document = decision.to_json()
            assert document["offers"] == [
                engine.action_json(decision.state, decision.seat, code)
                for code in engine.offered_actions(decision.state, decision.seat)
            ]
            assert document["action"] == engine.action_json(
                decision.state, decision.seat, decision.code
            )
            assert json.loads(json.dumps(document)) == document


class TestPositions:
    def test_any_entry_in_any_order(self, builder: GameBuilder, game: GameReplay) -> None:
        tables = builder.tables
        for seq in [len(tables), game.first, *range(1, len(tables), 13), KEPT_EVERY, game.first]:
            table = game.table(seq)
            assert (table.seq, table.entry) == (seq, tables[seq - 1].entry)
            assert table.choice_since == tables[seq - 1].choice_since

    def test_the_last_one_by_default(self, builder: GameBuilder, game: GameReplay) -> None:
        view = game.engine.view(builder.table.state, 1)
        assert game.view(1) == view
        assert game.text(1) == game.engine.text(view)
        assert game.table().seq == len(game)

    @pytest.mark.parametrize("shape", shapes_svg.SHAPES)
    def test_pictures(self, builder: GameBuilder, game: GameReplay, shape: Any) -> None:
        state = builder.tables[game.first].state
        expected = shapes_svg.draw(game.engine, game.engine.view(state, 0), shape)
        assert game.picture(0, game.first + 1, shape) == expected

    @pytest.mark.parametrize("seq", [0, -1, 10_000])
    def test_there_is_no_such_entry(self, game: GameReplay, seq: int) -> None:
        with pytest.raises(IndexError, match=f"no entry {seq}: the game has {len(game)}"):
            game.table(seq)

    @pytest.mark.parametrize("seat", [-1, SEATS])
    def test_there_is_no_such_seat(self, game: GameReplay, seat: int) -> None:
        with pytest.raises(IndexError, match=f"no seat {seat}: the game has {SEATS}"):
            game.view(seat)

    def test_before_the_start(self, game: GameReplay) -> None:
        with pytest.raises(IndexError, match=f"no position before entry {game.first}"):
            game.state(game.first - 1)


class TestRefusals:
    def test_a_running_game(self) -> None:
        lines = play_plan(new_plan(PLAIN, SEATS, 3, stops_at=5)).lines()
        with pytest.raises(Flaw, match="not over"):
            replay(lines)

    def test_an_altered_entry(self, builder: GameBuilder) -> None:
        lines = builder.lines()
        lines[20] = lines[20].replace(b"2026-01-02", b"2026-01-01")
        with pytest.raises(Flaw) as caught:
            replay(lines)
        assert caught.value.line == 21

    def test_the_signatures_of_another_server(self, builder: GameBuilder) -> None:
        with pytest.raises(Flaw):
            replay(builder.lines(key=OTHER_KEY))

    def test_another_key(self, builder: GameBuilder) -> None:
        with pytest.raises(Flaw, match="not signed with the given key"):
            replay(builder.lines(), key="ab" * 32)

    def test_rules_that_are_not_installed(
        self, builder: GameBuilder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines = builder.lines()
        ruleset = (PLAIN.about.slug, PLAIN.about.version)
        rest = {name: engine for name, engine in RULESETS.items() if name != ruleset}
        monkeypatch.setattr("tabularium_engines.installed.registry.RULESETS", rest)
        with pytest.raises(RulesetNotInstalled):
            replay(lines)


class TestTheTerminal:
    @pytest.fixture
    def file(self, builder: GameBuilder, tmp_path: Path) -> Path:
        """The export as a file."""
        path = tmp_path / "game.ndjson"
        path.write_bytes(b"".join(builder.lines()))
        return path

    def test_a_position(
        self, file: Path, game: GameReplay, capsys: pytest.CaptureFixture[str]
    ) -> None:
        picture = file.with_suffix(".svg")
        arguments = ["--seq", str(game.first), "--seat", "1", "--svg", str(picture)]
        replays.main([str(file), *arguments, "--shape", "tall"])
        printed = capsys.readouterr().out
        assert printed.startswith(f"{game.game}: {PLAIN.about.title}, rules version ")
        assert game.outcome
        assert game.outcome.reason in printed
        assert game.text(1, game.first) in printed
        assert picture.read_text(encoding="utf-8") == game.picture(1, game.first, "tall")

    def test_all_decisions(
        self, file: Path, game: GameReplay, capsys: pytest.CaptureFixture[str]
    ) -> None:
        replays.main([str(file), "--decisions"])
        lines = capsys.readouterr().out.splitlines()
        assert [json.loads(line) for line in lines] == [
            decision.to_json() for decision in game.decisions()
        ]

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["--seq", "10000"], "no entry 10000"),
            (["--seat", "9"], "no seat 9"),
            (["--key", "00"], "not signed with the given key"),
        ],
    )
    def test_a_failure_is_a_sentence(self, file: Path, arguments: list[str], sentence: str) -> None:
        with pytest.raises(SystemExit, match=sentence):
            replays.main([str(file), *arguments])

    def test_a_file_that_is_missing(self, tmp_path: Path) -> None:
        with pytest.raises(SystemExit, match="No such file"):
            replays.main([str(tmp_path / "none")])
