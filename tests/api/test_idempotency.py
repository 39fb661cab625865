"""Two requests for a game under one idempotency key create one game."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from api import idempotency
from games import services
from games.models import Game, Request
from tests.api.world import BASE, World
from tests.games.sitting import SLUG, acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

NEW = {"rules": SLUG, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}


def create(world: World, body: Any = None, key: str = '"one"', path: str = "/games") -> Any:
    """Request a new game."""
    headers = {"Idempotency-Key": key}
    return world.as_ada.send(BASE + path, NEW if body is None else body, headers=headers)


class TestGames:
    def test_are_set_up_once(self, world: World) -> None:
        before = Game.objects.count()
        first, again = create(world), create(world, key="one")
        assert Game.objects.count() == before + 1
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == first.json()
        assert again["Location"] == first["Location"]
        assert (again.get("Idempotent-Replayed"), first.get("Idempotent-Replayed")) == (
            "true",
            None,
        )

    def test_are_shown_as_they_were(self, world: World) -> None:
        first = create(world).json()
        services.resign_seat(first["id"], 0)
        again = create(world).json()
        assert (again["seq"], again["phase"], again["view"]) == (
            first["seq"],
            "playing",
            first["view"],
        )

    def test_are_others_under_another_key(self, world: World) -> None:
        ids = {create(world, key=key).json()["id"] for key in ("one", "two")}
        assert len(ids) == 2

    def test_another_request_needs_another_key(self, world: World) -> None:
        create(world)
        response = create(world, {**NEW, "visibility": "private"})
        assert (response.status_code, response.json()["code"]) == (422, "idempotency-key-reused")

    def test_the_same_body_elsewhere_needs_another_key(self, world: World) -> None:
        games = [world.playing() for _ in range(2)]
        first, second = (create(world, {"seat": 0}, path=f"/games/{game}/resign") for game in games)
        assert first.status_code == 200
        assert second.json()["code"] == "idempotency-key-reused"

    def test_a_key_of_an_action_is_no_key_of_a_game(self, world: World) -> None:
        game = world.awaiting()
        headers = {"Idempotency-Key": "one"}
        response = world.as_ada.send(
            f"{BASE}/games/{game}/actions", world.body(game), headers=headers
        )
        assert response.status_code == 201
        assert create(world).json()["code"] == "idempotency-key-reused"

    def test_what_was_refused_may_be_asked_again(self, world: World) -> None:
        assert create(world, {**NEW, "rules": "chess"}).status_code == 422
        assert create(world).status_code == 201

    def test_any_other_conflict_is_told(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise IntegrityError("of another kind")

        monkeypatch.setattr(idempotency, "_store_reply", fail)
        before = Game.objects.count()
        assert create(world).status_code == 500
        assert not Request.objects.exists()
        assert Game.objects.count() == before


def test_a_fork_is_made_once(world: World) -> None:
    game = bot_game()
    *_, last = acting(game)
    body = {"seq": 5, "seats": NEW["seats"]}
    first, again = (create(world, body, path=f"/games/{game}/forks").json() for _ in range(2))
    assert first == again
    assert first["origin"]["game"] == game
    assert last.projection.phase == "over"
