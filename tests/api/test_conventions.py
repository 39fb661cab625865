"""All responses keep the conventions: problems, Request-Id, Cache-Control, no ignored input."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from rest_framework.exceptions import ParseError, UnsupportedMediaType

from api.errors import exception_handler
from api.problem_catalogue import PROBLEM_KINDS
from api.rulesets import RulesetsEndpoint
from tabularium_engines.installed.registry import ENGINES

SLUG = next(iter(ENGINES))
FINE = [
    "/api/v1",
    "/api/v1/healthz",
    "/api/v1/openapi.json",
    "/api/v1/docs",
    "/api/v1/rules",
    f"/api/v1/rules/{SLUG}",
    f"/api/v1/rules/{SLUG}/text",
    f"/api/v1/rules/{SLUG}/picture.svg",
    f"/api/v1/rules/{SLUG}/schemas/view",
]


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Assert a problem of that kind, whose `type` leads to an explanation."""
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    assert response["Request-Id"].startswith("req_")
    document: dict[str, Any] = response.json()
    assert document["status"] == status
    assert document["code"] == code
    assert document["title"]
    assert document["detail"]
    explained = Client().get(document["type"])
    assert explained.json()["code"] == code
    return document


@pytest.mark.parametrize("path", FINE)
def test_what_goes_well_says_how_long_it_may_be_kept(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert response["Cache-Control"]
    assert response["Request-Id"].startswith("req_")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/"])
def test_addresses_that_others_use_answer_too(client: Client, path: str) -> None:
    usual = client.get(f"/api/v1{path.rstrip('/')}")
    response = client.get(f"/api/v1{path}" if path == "/" else path)
    assert (response.status_code, response["Content-Type"]) == (200, usual["Content-Type"])
    if path in ("/healthz", "/"):
        assert response.json() == usual.json()


@pytest.mark.parametrize("path", FINE)
def test_an_unknown_parameter_is_refused_and_named(client: Client, path: str) -> None:
    document = assert_problem(client.get(path, {"sede": "1"}), 400, "unknown-parameter")
    assert document["errors"][0]["parameter"] == "sede"


@pytest.mark.parametrize("path", FINE)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused_with_a_list_of_those_allowed(
    client: Client, path: str, method: str
) -> None:
    response = getattr(client, method)(path)
    assert_problem(response, 405, "method-not-allowed")
    assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("path", FINE)
def test_a_form_that_cannot_be_made_is_not_acceptable(client: Client, path: str) -> None:
    response = client.get(path, headers={"accept": "application/x-nothing"})
    assert_problem(response, 406, "not-acceptable")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api/v1/nothing",
        "/api/v1/rules/",
        "/api/v1/rules/no_such_game",
        "/api/v1/rules/no_such_game/text",
        "/api/v1/rules/no_such_game/picture.svg",
        f"/api/v1/rules/{SLUG}/schemas/nothing",
        "/api/v1/problems/nothing",
        "/static/nothing.css",
    ],
)
def test_what_does_not_exist_is_a_problem_too(client: Client, path: str) -> None:
    assert_problem(client.get(path), 404, "not-found")


def test_a_missing_game_is_named(client: Client) -> None:
    detail = client.get("/api/v1/rules/no_such_game").json()["detail"]
    assert detail == "There is no ruleset no_such_game."


def test_a_foreign_host_is_refused(client: Client) -> None:
    response = client.get("/api/v1/rules", headers={"host": "elsewhere.example"})
    assert_problem(response, 400, "bad-request")


def test_a_crash_is_a_problem_without_its_reasons(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: RulesetsEndpoint, request: object) -> HttpResponse:
        raise RuntimeError("a secret")

    monkeypatch.setattr(RulesetsEndpoint, "get", crash)
    document = assert_problem(client.get("/api/v1/rules"), 500, "internal-error")
    assert "secret" not in str(document)


@pytest.mark.parametrize(
    ("error", "code"),
    [(UnsupportedMediaType("text/csv"), "unsupported-media-type"), (ParseError(), "invalid-json")],
)
def test_bodies_that_cannot_be_read(error: Exception, code: str) -> None:
    response = exception_handler(error, {})
    assert response is not None
    assert response.status_code == PROBLEM_KINDS[code].status


def test_every_kind_of_problem_is_explained(client: Client) -> None:
    for code, kind in PROBLEM_KINDS.items():
        explained = client.get(f"/api/v1/problems/{code}").json()
        assert explained["title"] == kind.title
        assert explained["meaning"] == kind.meaning
        assert explained["remedy"] == kind.remedy
        assert [member["name"] for member in explained["members"]] == [*kind.members]
