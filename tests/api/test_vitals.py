"""Are the figures those of the service?"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.games.sitting import SLUG, bot_game

pytestmark = pytest.mark.django_db

METRICS = "/api/v1/metrics"


def test_games_and_requests_are_counted(client: Client) -> None:
    bot_game()
    client.get("/api/v1/healthz")
    client.get("/api/v1/no/such/place")
    told = client.get(METRICS).content.decode()
    assert f'tabularium_games{{phase="playing",rules="{SLUG}"}} 1.0' in told
    assert 'route="health",status="200"' in told
    assert 'route="other",status="404"' in told
    assert "tabularium_games_stalled 0.0" in told


def test_what_strangers_make_up_is_one_figure(client: Client) -> None:
    for number in range(3):
        client.generic(f"FOO{number}", "/api/v1/healthz")
    assert "FOO" not in client.get(METRICS).content.decode()
