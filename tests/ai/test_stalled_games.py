"""Games that wait too long for a bot are named in the log now and then."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from ai import stalled_games
from games.models import Game
from jobs.sweeper_hooks import sweep_finished
from tabularium_log.projection.projection import Projection

LONG_AGO = timedelta(minutes=5)


@pytest.mark.django_db
def test_a_line_names_them_once_in_a_while(
    table: Projection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1000.0]
    monkeypatch.setattr(stalled_games, "monotonic", lambda: now[0])
    monkeypatch.setattr(stalled_games, "report", stalled_games.Report())
    Game.objects.filter(pk=table.game).update(at=timezone.now() - LONG_AGO)

    def lines_after(seconds: float) -> list[str]:
        caplog.clear()
        now[0] += seconds
        sweep_finished.send_robust(None)
        return [line for line in caplog.messages if "waited for a bot" in line]

    assert not lines_after(10), "what an earlier server left has time to go on"
    (line,) = lines_after(10)
    assert line.startswith("1 games have")
    assert table.game in line
    assert not lines_after(50)
    assert lines_after(10)
    Game.objects.filter(pk=table.game).update(at=timezone.now())
    assert not lines_after(60)
