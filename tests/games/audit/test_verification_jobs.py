"""`manage.py verify` with several processes, and of samples."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import ids
from games.audit import verification_jobs
from games.models import Game
from tests.games.sitting import bot_game
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

GAMES = [f"game_{number}" for number in range(1_000)]


@pytest.fixture
def games(kept_here: Kept) -> Iterator[list[str]]:
    """Five games in a database that other processes open, of which the fourth is bad."""
    found = sorted(bot_game() for _ in range(5))
    Game.objects.filter(pk=found[3]).update(bots=0)
    with pytest.MonkeyPatch.context() as patch:  # undone before the database is dropped
        for name, value in kept_here.environment.items():
            patch.setenv(name, value)
        patch.setattr(verification_jobs, "SHARE", 2)
        yield found


def run(*arguments: str, **options: Any) -> tuple[str, str, str, int]:
    """The output of the command, its errors, its last sentence and its exit status."""
    out, errors = StringIO(), StringIO()
    try:
        call_command("verify", *arguments, stdout=out, stderr=errors, **options)
    except CommandError as problem:
        return out.getvalue(), errors.getvalue(), str(problem), problem.returncode
    return out.getvalue(), errors.getvalue(), "", 0


@pytest.mark.lane("processes")
def test_the_number_of_processes_changes_no_byte(games: list[str]) -> None:
    alone = run("--json")
    assert alone[2:] == ("1 of 5 games could not be verified.", 1)
    assert "In the game's row bots is 0" in alone[0]
    assert run("--json", "--jobs", "2") == alone
    unknown = ids.new_id("game")
    assert run(*games[:2], unknown, "--jobs", "2")[2:] == (f"There is no game {unknown}.", 1)


def test_a_sample_follows_from_its_seed() -> None:
    sample = verification_jobs.sample_games(GAMES, 10, 7)
    assert len(sample) == len(set(sample)) == 100
    assert sample == sorted(sample, key=GAMES.index)
    assert sample == verification_jobs.sample_games(GAMES, 10, 7)
    assert sample != verification_jobs.sample_games(GAMES, 10, 8)
    assert verification_jobs.sample_games(GAMES, 100, 7) == GAMES
    assert len(verification_jobs.sample_games(GAMES, 0.01, 7)) == 1
    assert verification_jobs.sample_games([], 10, 7) == []


@pytest.mark.django_db
def test_a_sample_names_its_seed() -> None:
    for _ in range(4):
        bot_game()
    out, errors, *_ = run("--sample", "50", "--seed", "3")
    assert errors == "Verifying 2 of 4 games, --seed 3.\n"
    assert out == "2 games verified; all are good.\n"
    seed = run("--sample", "50%")[1].rpartition("--seed ")[2].removesuffix(".\n")
    assert seed.isdecimal()


@pytest.mark.parametrize(
    "arguments", [("--jobs", "0"), ("--jobs", "x"), ("--sample", "0"), ("--sample", "101")]
)
def test_arguments_that_mean_nothing(arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="must be"):
        call_command("verify", *arguments)
