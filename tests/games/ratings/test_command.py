"""`manage.py ratings` reports whether the ratings follow from the logs, and repairs them."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from games.models import Rating
from games.ratings import rating_fold
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import Ruleset
from tests.games.ratings.contests import SLUG, accounts, begun, given_up, latest, won

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def printed_lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines printed for the ruleset that is played here."""
    call_command("ratings", *arguments)
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith(SLUG)]


def test_ratings_that_agree(capsys: pytest.CaptureFixture[str]) -> None:
    won(*accounts(2))
    rating_fold.count_games(SLUG)
    assert printed_lines(capsys, "--check") == [f"{SLUG}: 1 rated games; they agree."]


def test_ratings_that_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = accounts(2)
    won(first, second)
    rating_fold.count_games(SLUG)
    expected = latest()
    Rating.objects.filter(player=first.pk).update(sigma=1.0)
    with pytest.raises(CommandError, match=rf"do not follow from the logs: {SLUG}\."):
        call_command("ratings", "--check")
    assert f"{SLUG}: 1 rated games; 2 ratings differ.\n" in capsys.readouterr().out
    assert Rating.objects.get(player=first.pk).sigma == 1.0
    assert printed_lines(capsys)[1:] == [f"{SLUG}: recomputed from 1 games."]
    assert latest() == expected
    assert printed_lines(capsys) == [f"{SLUG}: 1 rated games; they agree."]


def test_games_that_wait(capsys: pytest.CaptureFixture[str]) -> None:
    won(*accounts(2))
    with pytest.raises(CommandError):
        call_command("ratings", "--check")
    assert "1 rated games, 1 not counted yet; 0 ratings differ." in capsys.readouterr().out
    assert printed_lines(capsys)[-1] == f"{SLUG}: recomputed from 1 games."


def test_where_there_are_none_they_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed_lines(capsys, "--check") == [f"{SLUG}: 0 rated games; they agree."]


@pytest.mark.parametrize("arguments", [(), ("--check",)])
def test_unknown_partners_are_not_guessed(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    given_up(begun(accounts(3)), 1, 2)
    rating_fold.count_games(SLUG)
    before = latest()
    newer = {Ruleset(slug, version + 9): e for (slug, version), e in registry.RULESETS.items()}
    monkeypatch.setattr(registry, "RULESETS", newer)
    message = f"1 rated games of {SLUG} were played by versions of its rules that are not installed"
    with pytest.raises(CommandError, match=message):
        call_command("ratings", *arguments)
    assert latest() == before
