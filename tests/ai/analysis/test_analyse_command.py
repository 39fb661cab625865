"""`manage.py analyse`: it prints the searches of bots."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ai.analysis import analysis_requests
from ai.analysis.part_dispatch import PartMessage
from ai.models import Analysis
from games.models import Account
from tabularium_log.projection.projection import Projection
from tests.ai.analysis.conftest import played_out, row, work_on_all

pytestmark = pytest.mark.django_db


def analyse_as_json(capsys: pytest.CaptureFixture[str], game: str, *arguments: str) -> Any:
    """The command's output as JSON."""
    call_command("analyse", game, *arguments, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.lane("slow")
def test_a_position(table: Projection, capsys: pytest.CaptureFixture[str]) -> None:
    result = analyse_as_json(capsys, table.game, "--simulations", "60")
    assert result["simulations"] == 60
    call_command("analyse", table.game, "--simulations", "60")
    output = capsys.readouterr().out
    assert f"60 simulations, {result['considered']} actions considered" in output
    best = result["actions"][0]
    assert f"{best['visits']}" in output
    assert best["label"].split()[1] in output


def test_a_game_that_is_over(
    table: Projection, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    played_out(table)
    result = analyse_as_json(capsys, table.game, "--simulations", "20")
    losses = [one for one in result["decisions"] if one["loss"]]
    worst = sorted(losses, key=lambda one: -one["loss"])[:3]
    call_command("analyse", table.game, "--simulations", "20", "--worst", "3")
    decisions, _, seats = capsys.readouterr().out.partition("mean loss")
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d+)  ", decisions, re.MULTILINE)
    printed = {tuple(map(int, row)) for row in rows}
    assert {(one["entry"], one["seat"], one["loss"]) for one in worst} == printed
    assert [int(line.split()[2]) for line in seats.splitlines() if line.strip()] == [
        seat["compared"] for seat in result["seats"]
    ]


def test_it_says_what_the_workers_say(
    table: Projection,
    account: Account,
    sent_parts: list[PartMessage],
    capsys: pytest.CaptureFixture[str],
) -> None:
    played_out(table)
    analysis_requests.begin_analysis(analysis_requests.game_question(row(table), 20), account.pk)
    work_on_all(sent_parts)
    assert json.loads(Analysis.objects.get().result) == analyse_as_json(
        capsys, table.game, "--simulations", "20"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["game_0"], "game_0"),
        (["--seq", "99"], "There is no entry 99"),
        (["--seq", "2"], "The game has not started"),
        (["--seat", "7"], "There is no seat 7"),
        (["--simulations", "0"], "At least one simulation"),
    ],
    ids=str,
)
def test_what_cannot_be_asked(table: Projection, arguments: list[str], sentence: str) -> None:
    game = [] if arguments[0].startswith("game_") else [table.game]
    with pytest.raises(CommandError, match=sentence):
        call_command("analyse", *game, *arguments)
