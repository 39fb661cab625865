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
from games.projection.projection import Projection
from tests.ai.analysis.conftest import all_worked, played_out, row

pytestmark = pytest.mark.django_db


def told(capsys: pytest.CaptureFixture[str], game: str, *asked: str) -> Any:
    """The command's output as JSON."""
    call_command("analyse", game, *asked, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_position(table: Projection, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, table.game, "--simulations", "60")
    assert found["simulations"] == 60
    call_command("analyse", table.game, "--simulations", "60")
    page = capsys.readouterr().out
    assert f"60 simulations, {found['considered']} actions considered" in page
    best = found["actions"][0]
    assert f"{best['visits']}" in page
    assert best["label"].split()[1] in page


def test_a_game_that_is_over(
    table: Projection, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    played_out(table)
    found = told(capsys, table.game, "--simulations", "20")
    losses = [one for one in found["decisions"] if one["loss"]]
    worst = sorted(losses, key=lambda one: -one["loss"])[:3]
    call_command("analyse", table.game, "--simulations", "20", "--worst", "3")
    page, _, seats = capsys.readouterr().out.partition("mean loss")
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d+)  ", page, re.MULTILINE)
    shown = {tuple(map(int, row)) for row in rows}
    assert {(one["entry"], one["seat"], one["loss"]) for one in worst} == shown
    assert [int(line.split()[2]) for line in seats.splitlines() if line.strip()] == [
        seat["compared"] for seat in found["seats"]
    ]


def test_it_says_what_the_workers_say(
    table: Projection, account: Account, sent: list[PartMessage], capsys: pytest.CaptureFixture[str]
) -> None:
    played_out(table)
    analysis_requests.begin_analysis(analysis_requests.game_question(row(table), 20), account.pk)
    all_worked(sent)
    assert json.loads(Analysis.objects.get().result) == told(
        capsys, table.game, "--simulations", "20"
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["game_0"], "game_0"),
        (["--seq", "99"], "There is no entry 99"),
        (["--seq", "2"], "The game has not started"),
        (["--seat", "7"], "There is no seat 7"),
        (["--simulations", "0"], "At least one simulation"),
    ],
    ids=str,
)
def test_what_cannot_be_asked(table: Projection, asked: list[str], sentence: str) -> None:
    game = [] if asked[0].startswith("game_") else [table.game]
    with pytest.raises(CommandError, match=sentence):
        call_command("analyse", *game, *asked)
