"""Deprecated parts of the API: replies and the document say since when and until when. The tests
have a table of their own, since today's may be empty."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from api import deprecations
from api.deprecations import DEPRECATIONS, KEPT_FOR, Deprecation
from api.response_headers import DEPRECATION_HEADERS
from api.schema import openapi_document
from tests.api import program
from tests.api.contract import Contract
from tests.api.world import World

pytestmark = pytest.mark.stores

RULES = Deprecation("GET /rules", date(2026, 1, 2), date(2027, 1, 2), "Read a book.")
PHASE = Deprecation("GET /games query phase", date(2026, 3, 1), date(2027, 2, 28), "Guess.")
RATED = Deprecation("NewGame.rated", date(2026, 5, 1), date(2027, 5, 1), "Play for fun.")
ROOT = Deprecation("GET /", date(2026, 5, 1), date(2027, 5, 1), "Start elsewhere.")
TABLE = (RULES, PHASE, RATED, ROOT)
GAME = {"rules": "duality", "seats": [{"kind": "me"}, {"kind": "me"}]}


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The document of an API with deprecated parts, which the replies of all programs must fit."""
    monkeypatch.setattr(deprecations, "DEPRECATIONS", TABLE)
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    contract = Contract(described)
    monkeypatch.setattr(program, "contract", lambda: contract)
    return described


@pytest.mark.usefixtures("document")
def test_each_reply_of_a_deprecated_operation_has_the_dates(world: World) -> None:
    for response in (world.as_ada.get("/api/v1/rules"), world.as_ada.head("/api/v1/rules")):
        assert response["Deprecation"] == "@1767312000"
        assert response["Sunset"] == "Sat, 02 Jan 2027 00:00:00 GMT"
        assert response["Link"] == '</api/v1/docs>; rel="deprecation"; type="text/html"'
    refused = world.as_ada.get("/api/v1/rules?color=red")
    assert refused.status_code == 400
    assert refused["Deprecation"] == "@1767312000"
    assert "Deprecation" in world.as_ada.get("/api/v1").headers


@pytest.mark.usefixtures("document")
def test_a_deprecated_parameter_counts_where_it_is_sent(world: World) -> None:
    assert world.as_ada.get("/api/v1/games?phase=over")["Deprecation"] == "@1772323200"
    others = (world.as_ada.get("/api/v1/games"), world.as_ada.get("/api/v1/me/games?phase=over"))
    assert not [name for one in others for name in DEPRECATION_HEADERS if name in one.headers]


@pytest.mark.usefixtures("document")
def test_a_deprecated_member_counts_where_it_is_sent(world: World) -> None:
    response = world.as_ada.send("/api/v1/games", GAME | {"rated": False})
    assert response.status_code == 201
    assert response["Sunset"] == "Sat, 01 May 2027 00:00:00 GMT"
    assert "Sunset" not in world.as_ada.send("/api/v1/games", GAME).headers
    malformed = world.as_ada.send("/api/v1/games", {"rated": 7})
    assert malformed.status_code == 400
    assert "Sunset" in malformed.headers


def test_the_earliest_dates_are_those_of_a_request(
    world: World, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (PHASE, Deprecation("GET /games", date(2026, 2, 1), date(2028, 1, 1), "Guess."))
    monkeypatch.setattr(deprecations, "DEPRECATIONS", both)
    response = world.as_ada.get("/api/v1/games?phase=over")
    assert response["Deprecation"] == "@1769904000"
    assert response["Sunset"] == "Sun, 28 Feb 2027 00:00:00 GMT"


def test_the_document_marks_what_is_deprecated(document: dict[str, Any]) -> None:
    marked = [part for one in TABLE for part in deprecations.deprecated_parts(document, one.place)]
    assert len(marked) == len(TABLE)
    for one, part in zip(TABLE, marked, strict=True):
        assert part["deprecated"] is True
        assert part["description"].endswith(f"\n\n{one.sentence}")
    everywhere = str(document).count("'deprecated': True")
    assert everywhere == len(TABLE)
    for path, method in (("/rules", "get"), ("/games", "get"), ("/games", "post")):
        for response in document["paths"][f"/api/v1{path}"][method]["responses"].values():
            assert {*DEPRECATION_HEADERS} <= response["headers"].keys()
    others = document["paths"]["/api/v1/me"]["get"]["responses"]["200"]["headers"]
    assert not {*DEPRECATION_HEADERS} & others.keys()


def test_a_place_that_is_gone_marks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    places = ("GET /nowhere", "PUT /games", "GET /games query color", "Me.color", "Nothing.name")
    gone = [Deprecation(place, RULES.since, RULES.sunset, "") for place in places]
    monkeypatch.setattr(deprecations, "DEPRECATIONS", tuple(gone))
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    assert document == openapi_document()


def test_a_request_without_deprecated_parts_has_no_such_headers(db: None) -> None:
    response = Client().get("/api/v1/rules")
    assert not [name for name in DEPRECATION_HEADERS if name in response.headers]


def test_every_deprecation_is_announced_in_time_and_kept() -> None:
    for one in DEPRECATIONS:
        assert one.sunset - one.since >= KEPT_FOR
        is_here = bool(deprecations.deprecated_parts(openapi_document(), one.place))
        assert is_here or one.sunset <= datetime.now(UTC).date()
