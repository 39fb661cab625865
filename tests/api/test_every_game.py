"""Replies are as described in every game: every variant when it starts, and each game as it is
played. Program compares each response with the document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, Final

import jsonschema_rs
import pytest

from tabularium_engines.common.json_codec import to_json
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.variants import tables
from tests.api.contract import contract
from tests.api.program import Program
from tests.api.world import BASE, World

ACTIONS: Final = 40
DURING: Final = ("", "?as=onlooker", "/log?after=0&limit=200", "/states/{seq}")
AFTER: Final = (*DURING, "/proof", "/export")


def checked_body(shape: str, body: Any) -> Any:
    """The body, after checking it against its schema."""
    validator_of(shape).validate(body)
    return body


@cache
def validator_of(shape: str) -> jsonschema_rs.Validator:
    """The validator of a body's schema."""
    validator: jsonschema_rs.Validator = contract().validator(
        {"$ref": f"#/components/schemas/{shape}"}
    )
    return validator


def new_game(program: Program, slug: str, seats: int, options: Any) -> Any:
    """A new game of one program, which has all the seats."""
    members = {"rules": slug, "options": to_json(options), "seats": [{"kind": "me"}] * seats}
    response = program.send(f"{BASE}/games", checked_body("NewGame", members))
    assert response.status_code == 201, response.content
    return response.json()


def test_every_variant_begins_as_described(world: World, slug: str) -> None:
    for table in tables(ENGINES[slug]):
        game = new_game(world.as_ada, slug, table.seats, table.options)
        ruleset_type = f"{game['rules']}.options.v{game['version']}"
        assert game["options"] == {"type": ruleset_type, **to_json(table.options)}
        assert game["view"]["type"] == ruleset_type.replace(".options.", ".view.")


@pytest.mark.lane("slow", core=2)
def test_each_offer_has_its_consequences_and_they_come_true(world: World, slug: str) -> None:
    about, chance = ENGINES[slug].about, Random(slug)
    game = new_game(world.as_ada, slug, about.seats[0], about.options())
    address, checked = game["links"]["self"], 0
    for _ in range(ACTIONS):
        choice = world.as_ada.get(f"{address}/choice?seat={game['to_act'][0]}").json()
        assert all("after" in offer for offer in choice["offers"])
        offer = chance.choice([o for o in choice["offers"] if o["after"]] or choice["offers"])
        body = {"seat": choice["seat"], "choice": choice["token"], "action": offer["action"]}
        result = world.as_ada.send(f"{address}/actions", body).json()
        if (after := offer["after"]) is not None:
            assert offer["label"].endswith(after["text"])
            assert after["to_act"] in (None, result["to_act"])
            heard = [(item["type"], item["seat"]) for item in result["news"]]
            assert all((item["type"], item["seat"]) in heard for item in after["news"])
            assert all(kind.startswith((f"{slug}.", "table.")) for kind, _ in heard)
            checked += 1
        if result["result"] is not None:
            break
        game = result
    assert checked


@pytest.mark.lane("slow", core=2)
def test_a_game_goes_on_and_ends_as_described(world: World, slug: str) -> None:
    about, chance = ENGINES[slug].about, Random(slug)
    game = new_game(world.as_ada, slug, about.seats[1], about.options())
    address = game["links"]["self"]
    for _ in range(ACTIONS):
        if game["phase"] == "over":
            break
        choice = world.as_ada.get(f"{address}/choice?seat={game['to_act'][0]}").json()
        action = chance.choice(choice["offers"])["action"]
        body = {"seat": choice["seat"], "choice": choice["token"], "action": action}
        response = world.as_ada.send(f"{address}/actions", checked_body("NewActions", body))
        assert response.status_code in (200, 201), response.content
        game = world.as_ada.get(address).json()
    is_read(world, address, DURING)
    for seat in range(about.seats[1] - 1):
        assert world.as_ada.send(f"{address}/resign", {"seat": seat}).status_code in (200, 201, 409)
    assert world.as_ada.get(address).json()["phase"] == "over"
    is_read(world, address, AFTER)


def is_read(world: World, address: str, pages: Iterable[str]) -> None:
    """Assert that players and onlookers may read all these pages."""
    for program in (world.as_ada, world.as_eve):
        seq = program.get(address).json()["seq"]
        for page in pages:
            assert program.get(address + page.format(seq=seq)).status_code == 200, page
