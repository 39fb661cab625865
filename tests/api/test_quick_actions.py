"""The quick path answers as the endpoint does, and leaves all others to it."""

from __future__ import annotations

from io import BytesIO
from math import inf
from typing import Any, Final

import orjson
import pytest
from django.core.handlers.asgi import ASGIRequest
from django.db import OperationalError

from api import keys
from api.games import quick_actions
from api.games.actions import FAILURE_STATE, ActionsEndpoint
from api.games.quick_actions import SlowRulesets
from games import selectors, services
from games.models import Entry
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.api.contract import BASE
from tests.api.quick_comparison import compared_games
from tests.api.world import World
from tests.games.sitting import some_action

pytestmark = pytest.mark.stores

ACTIONS: Final = 12


def table_of(world: World, slug: str) -> str:
    """A game of that ruleset, in which Ada and Bob have every other seat."""
    seats = ENGINES[slug].about.seats[0]
    accounts = [(world.ada, world.bob)[seat % 2] for seat in range(seats)]
    seating = [SeatAssignment(account=account) for account in accounts]
    return services.create_game(slug, seating, owner=world.ada).projection.game


def test_whole_stretches_are_compared(
    world: World, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_actions, "SLOW_SECONDS", inf)
    monkeypatch.setattr(keys, "KEY_CACHE_SECONDS", inf)
    monkeypatch.setattr(quick_actions, "slow_rulesets", SlowRulesets())
    game, rng, before = table_of(world, slug), FastRng(1), len(compared_games)
    for _ in range(ACTIONS):
        table = selectors.game_projection(game)
        seat, action = some_action(table, rng)
        program = (world.as_ada, world.as_bob)[seat % 2]
        body = {"seat": seat, "choice": table.choice_token(seat), "action": action}
        assert program.send(f"{BASE}/games/{game}/actions", body).status_code == 201
    count = compared_games[before:].count(game)
    assert count >= ACTIONS - 2, "only the first action of an account asks the database"


def test_the_first_action_of_a_game_is_compared(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply that begins the game has put its rights into memory."""
    monkeypatch.setattr(quick_actions, "SLOW_SECONDS", inf)
    monkeypatch.setattr(quick_actions, "slow_rulesets", SlowRulesets())
    monkeypatch.setattr(keys, "KEY_CACHE_SECONDS", inf)
    game = {"rules": "duality", "seats": [{"kind": "me"}, {"kind": "me"}]}
    created = world.as_ada.send(f"{BASE}/games", game).json()
    table, before = selectors.game_projection(created["id"]), len(compared_games)
    seat, action = some_action(table, FastRng(1))
    body = {"seat": seat, "choice": table.choice_token(seat), "action": action}
    assert world.as_ada.send(f"{BASE}/games/{table.game}/actions", body).status_code == 201
    assert compared_games[before:] == [table.game]


@pytest.mark.parametrize(
    ("failure", "code"),
    [(OperationalError("the disk is full"), "unavailable"), (MemoryError(), "")],
)
def test_an_append_that_may_have_been_made_is_not_tried_again(
    world: World, failure: Exception, code: str
) -> None:
    game = world.playing()
    body = orjson.dumps(world.body(game))
    before = Entry.objects.filter(game=game).count()
    headers = [
        (b"authorization", f"Bearer {world.as_ada.secret}".encode()),
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
    ]
    path = f"{BASE}/games/{game}/actions"
    scope: Any = {"type": "http", "method": "POST", "path": path, "headers": headers}
    request = ASGIRequest({**scope, "state": {FAILURE_STATE: failure}}, BytesIO(body))
    view: Any = ActionsEndpoint.as_view()
    if code:
        response = view(request, game=game)
        assert response.status_code == 503
        assert orjson.loads(response.content)["code"] == code
    else:
        with pytest.raises(type(failure)):
            view(request, game=game)
    assert Entry.objects.filter(game=game).count() == before
