"""Every value of a wrong type, or beyond its limits, is refused with a pointer to it, and no value
that a client can send makes the server fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import transaction

from tests.api.calls import Call, call_of
from tests.api.contract import contract
from tests.api.program import Program
from tests.api.test_matrix import (
    OPERATIONS,
    assert_refused,
    caller_program,
    has_body,
    operations_where,
)
from tests.api.world import World, rows

TYPES: Final[list[Any]] = [None, True, 1, 1.5, "x", [], {}, [None], {"a": 1}, [[]]]
ABSURD: Final = [-1, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**30, 1e300]
STRANGE: Final = ["", "\x00", "x\x00", "x" * 9999, "\u202e", "\n", "🂡", "' OR 1=1", "../.."]
VALUES: Final = [*TYPES, *ABSURD, *STRANGE]
IN_QUERIES: Final = [
    *("", "x", "-1", "0", "1.5", "9" * 30, "\x00", "AAAA", "AA==", "x" * 1000, "null", "🂡"),
    *("seat:", "seat:0", "seat:5", "seat:999", "seat:-1", "everything", "onlooker"),
    *("1e9", "١", " 1", "maybe"),
]

NAMED: Final = {"bad-seed", "bad-seed-hash", "no-action", "stale-choice", "unknown-rules"}


def send_and_roll_back(call: Call, program: Program, **query: str) -> Any:
    """Send it, and roll back its effects."""
    with transaction.atomic():
        response = call.send(program, **query)
        transaction.set_rollback(True)
    return response


def body_of(operation: dict[str, Any]) -> dict[str, Any]:
    """The schema of an operation's body."""
    content = operation["requestBody"]["content"]["application/json"]["schema"]
    name = content["$ref"].rpartition("/")[2]
    return contract().document["components"]["schemas"][name]  # type: ignore[no-any-return]


def parameters(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Its query parameters."""
    return (each for each in operation.get("parameters", ()) if each["in"] == "query")


@pytest.mark.parametrize("operation", operations_where(has_body))
def test_every_member_of_a_body(world: World, operation: str) -> None:
    call = call_of(world, operation)
    program = caller_program(world, call)
    before = rows()
    for member, schema in body_of(OPERATIONS[operation])["properties"].items():
        fits = contract().validator(schema)
        for value in VALUES:
            response = send_and_roll_back(
                call.with_changes(body=call.body | {member: value}), program
            )
            assert response.status_code < 500, f"{member} = {value!r}"
            if not fits.is_valid(value):
                check_refusal(response, member, value)
    assert rows() == before


def check_refusal(response: Any, member: str, value: Any) -> None:
    """Assert a refusal that points at the member."""
    label = f"{member} = {value!r}: {response.content}"
    document = response.json()
    if document.get("code") in NAMED:  # refused as well, without a pointer
        return
    if response.status_code == 200:  # the result of a dry run
        assert not document["is_legal"], label
        return
    assert response.status_code in (400, 422), label
    assert document["errors"][0]["pointer"].startswith(f"/{member}"), label


@pytest.mark.parametrize("kind", ["me", "bot", "open", "invite", "account"])
@pytest.mark.parametrize("operation", ["create_game", "fork_game"])
def test_every_member_of_a_seat(world: World, operation: str, kind: str) -> None:
    """Also one that a seat of its kind does not need."""
    call = call_of(world, operation)
    program = caller_program(world, call)
    seat_schemas = contract().document["components"]["schemas"]["NewSeat"]["properties"]
    for member in ("seed_hash", "account"):
        fits = contract().validator(seat_schemas[member])
        for value in ("x", "", 1):
            seats = [call.body["seats"][0], {"kind": kind, member: value}]
            body = call.body | {"seats": seats}
            response = send_and_roll_back(call.with_changes(body=body), program)
            assert not fits.is_valid(value)
            assert response.status_code in (400, 422), f"{member} = {value!r}"


@pytest.mark.parametrize("operation", operations_where(has_body))
def test_every_member_that_is_missing(world: World, operation: str) -> None:
    call = call_of(world, operation)
    for member in body_of(OPERATIONS[operation])["required"]:
        body = {name: value for name, value in call.body.items() if name != member}
        problem = assert_refused(
            send_and_roll_back(call.with_changes(body=body), caller_program(world, call)),
            "invalid-body",
        )
        assert problem["errors"][0]["pointer"] == f"/{member}"


@pytest.mark.parametrize(
    "operation", operations_where(lambda operation: any(parameters(operation)))
)
def test_every_parameter_of_a_query(world: World, operation: str) -> None:
    call = call_of(world, operation)
    for parameter in parameters(OPERATIONS[operation]):
        name, fits = parameter["name"], contract().validator(parameter["schema"])
        for value in IN_QUERIES:
            response = call.send(caller_program(world, call), **{name: value})
            assert response.status_code < 500, f"{name}={value!r}"
            if not fits.is_valid(json_value(parameter["schema"], value)):
                assert response.status_code == 400, f"{name}={value!r}"
                problem = assert_refused(response, "invalid-parameter")
                assert problem["errors"][0]["parameter"] == name


def json_value(schema: dict[str, Any], value: str) -> Any:
    """A query value as it would be in JSON."""
    if schema["type"] == "integer":
        return int(value) if value.strip().removeprefix("-").isdecimal() else value
    if schema["type"] == "boolean":
        return {"0": False}.get(value, value)
    return value.strip()


@pytest.mark.parametrize("seq", ["0", "99", "2147483648", "9" * 30])
@pytest.mark.parametrize("operation", ["entry", "state"])
def test_an_entry_that_is_not_there(world: World, operation: str, seq: str) -> None:
    call = call_of(world, operation)
    path = call.path.removesuffix("4") + seq
    assert_refused(call.with_changes(path=path).send(world.as_ada), "unknown-entry", "not-found")


@pytest.mark.parametrize("key", ["", '""', "x" * 256, "\x01", "é"])
def test_an_idempotency_key_that_is_none(world: World, key: str) -> None:
    call = call_of(world, "act")
    response = world.as_ada.send(call.path, call.body, headers={"Idempotency-Key": key})
    assert response.status_code < 500
