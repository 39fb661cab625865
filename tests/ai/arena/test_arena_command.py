"""`manage.py arena`: it plays the requested contests and reports the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from ai.arena.contest import Contest
from ai.arena.contestants import parse_contestant
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.installed.registry import ENGINES


def arena(*arguments: str) -> None:
    call_command("arena", *arguments, "--jobs", "1")


def test_a_ladder_is_played_and_written_down(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    results, plot = tmp_path / "results.json", tmp_path / "plot.svg"
    bots = ("--bots", "random", "greedy", "mcts:20")
    outputs = ("--json", str(results), "--plot", str(plot))
    arena("law_of_the_dice", *bots, "--games", "6", "--seats", "3", *outputs)
    names = [
        f"{better} against {worse}"
        for better, worse in (("greedy", "random"), ("mcts:20", "random"), ("mcts:20", "greedy"))
    ]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == [name.split(":")[0] for name in names]
    document: dict[str, list[dict[str, Any]]] = json.loads(results.read_text())
    ladder, rows = document["ratings"], document["contests"]
    assert {place["bot"] for place in ladder} == {"random", "greedy", "mcts:20"}
    assert [place["ordinal"] for place in ladder] == sorted(
        (place["mu"] - 3 * place["sigma"] for place in ladder), reverse=True
    )
    for line, number, place in zip(lines[3:], (1, 2, 3), ladder, strict=True):
        assert line.startswith(f"{number}. {place['bot']}: OpenSkill {place['mu']:.2f} ± ")
    assert [f"{row['challenger']} against {row['opponent']}" for row in rows] == names
    assert all(row["games"] == 6 and row["par"] == pytest.approx(1 / 3) for row in rows)
    assert all(0 <= row["low"] <= row["share"] <= row["high"] <= 1 for row in rows)
    picture = ET.fromstring(plot.read_text())
    words = "".join(picture.itertext())
    assert all(name in words for name in names)
    assert "Law of the Dice, 3 players" in words


def test_an_older_version_is_played_by_its_own_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    results = tmp_path / "results.json"
    bots = ("--bots", "greedy", "rush", "--games", "40", "--json", str(results))
    scores = []
    for version in ("1", "2"):
        arena("law_of_the_dice", *bots, "--rules", version)
        (contest,) = json.loads(results.read_text())["contests"]
        assert contest["version"] == int(version)
        assert ("next_turn" in contest["options"]) == (version == "2")
        scores.append(capsys.readouterr().out)
    assert scores[0] != scores[1]


def test_a_contest_may_stop_when_it_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ("--bots", "random", "greedy")
    arena("duality", *bots, "--options", '{"file": 3}', "--games", "200", "--sprt", "0.2")
    line, *_ = capsys.readouterr().out.splitlines()
    assert line.endswith("a gain of 0.2: stronger")
    assert int(line.split(" of ")[1].split(" games")[0]) < 200


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--seats", "9"), "Law of the Dice is for 2 to 6 players, not for 9"),
        (("--rules", "99"), "law_of_the_dice rules version 99 are not installed"),
        (("--games", "1"), "at least two games"),
        (("--options", "{"), "Expecting"),
        (("--options", '{"no": 1}'), "no"),
        (("--bots", "random", "nobody"), "There is no bot nobody"),
        (("--bots", "random", "mcts:many"), "many"),
        (("--bots", "random", "mcts:5*0"), "into at least one part"),
        (("--bots", "random", "greedy:5*2"), "only searches"),
        (("--against", "nobody"), "There is no bot nobody"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        arena("law_of_the_dice", *arguments)


@pytest.mark.parametrize("slug", ["law_of_the_dice", "law"])
def test_equal_contests_have_equal_results(slug: str) -> None:
    contest = Contest(slug, "greedy", "random", ENGINES[slug].about.seats[0])
    assert contest.play_block(5) == contest.play_block(5)


def test_two_processes_find_what_one_does() -> None:
    contest = Contest("law_of_the_dice", "greedy", "random", 2)
    assert contest.play_and_score(4, jobs=2) == contest.play_and_score(4)


@pytest.mark.lane("slow")
def test_partners_are_on_one_side() -> None:
    block = Contest("duel_edged_sword", "random", "random", 4, Options(mode="teams")).play_block(1)
    assert block.par == 0.5
    assert len(block.shares) == 4


def test_where_all_win_together_the_bots_are_compared_on_the_same_deal() -> None:
    options = Options(mode="collaborative", rounds=1)
    block = Contest("duel_edged_sword", "greedy", "random", 4, options).play_block(1)
    twin = Contest("duel_edged_sword", "random", "random", 4, options).play_block(1)
    assert len(block.shares) == 1
    assert block.shares[0] > block.par > 0
    assert 0 < twin.par < 1


def test_all_may_play_against_one(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ("--bots", "greedy", "mcts:5", "--against", "random")
    arena("duality", *bots, "--options", '{"file": 3}', "--games", "2")
    lines = capsys.readouterr().out.splitlines()
    names = ["greedy against random", "mcts:5 against random"]
    assert [line.split(":")[0] for line in lines[:1]] == names[:1]
    assert lines[1].startswith(names[1])
    assert not any("against greedy" in line for line in lines)


def test_searches_of_several_workers_are_summed() -> None:
    engine = ENGINES["duality"]
    state = engine.start(engine.about.options(), 2, FastRng(5))
    view = engine.view(state, engine.awaited_seats(state)[0])
    one, three = parse_contestant("mcts:20*1", "duality"), parse_contestant("mcts:20*3", "duality")
    decisions = [each.bot.choose(engine, view, FastRng(3), each.budget) for each in (one, three)]
    assert [decision.simulations for decision in decisions] == [20, 60]
    assert decisions[1] == three.bot.choose(engine, view, FastRng(3), three.budget)
    assert Contest("duality", "mcts:5*2", "mcts:5", 2).play_block(1).par == 0.5
