"""The refusal matrix: every operation of the document × every fault that it can have is refused as
documented, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from api.keys import ALL_SCOPES, key_cache
from games import services
from tests.api.calls import LINES, SPECS, Call, Spec, call_of
from tests.api.contract import contract
from tests.api.program import Program, program_of
from tests.api.world import World, rows

OPERATIONS = contract().operations
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
NOT_JSON = [b"{", b"nul", b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b'"\\ud800"', b"[" * 5000]
NOWHERE = ["unknown", "%00", "%ED%A0%80", "-", "9" * 30, "x" * 500]


def operations_where(predicate: Any) -> list[str]:
    """The operations whose description satisfies a predicate."""
    return [name for name, operation in OPERATIONS.items() if predicate(operation)]


def scope_of(operation: dict[str, Any]) -> str:
    """The scope that the operation requires of a key, even where a key is optional."""
    security = operation.get("security", [{}])
    return str(security[0]["key"][0]) if security and security[0] else ""


def is_open(operation: dict[str, Any]) -> bool:
    """Whether it may be called without a key."""
    return operation["security"] == [] or {} in operation["security"]


def has_body(operation: dict[str, Any]) -> bool:
    """Whether it takes a JSON body."""
    return "application/json" in operation.get("requestBody", {}).get("content", {})


def spec_of(operation: dict[str, Any]) -> Spec:
    """Its successful call, or a default one; a test of its own checks that each has one."""
    return SPECS.get(operation["operationId"], Spec())


def caller_program(world: World, call: Call) -> Program:
    """A program that may call it."""
    return getattr(world, f"as_{call.spec.by}")  # type: ignore[no-any-return]


def assert_refused(response: Any, *codes: str) -> dict[str, Any]:
    """Assert one of these problems, and return it; Program has checked that it is described."""
    document: dict[str, Any] = response.json()
    assert document.get("code") in codes, f"{response.status_code} {document}"
    return document


def without_identity(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem without the members that identify its request."""
    return problem | {"detail": "", "request_id": ""}


@pytest.fixture
def call(world: World, operation: str) -> Iterator[Call]:
    """A call that would succeed; the fault that the test adds must change no rows."""
    call = call_of(world, operation)
    before = rows()
    yield call
    assert before == rows()


def test_every_operation_has_its_call() -> None:
    assert set(SPECS) == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_it_goes_well(world: World, operation: str) -> None:
    call = call_of(world, operation)
    response = call.send(caller_program(world, call))
    assert response.status_code == call.spec.status, response.content


@pytest.mark.parametrize("operation", operations_where(is_open))
def test_without_a_key_it_goes_well_too(world: World, operation: str) -> None:
    call = call_of(world, operation)
    assert call.send(world.as_nobody).status_code == call.spec.status


@pytest.mark.parametrize("operation", operations_where(lambda operation: not is_open(operation)))
def test_without_a_key(world: World, call: Call) -> None:
    assert_refused(call.send(world.as_nobody), "unauthorized")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_a_key_that_is_none(world: World, call: Call) -> None:
    for header in ("Bearer tab_1_2", "Bearer tab_\xff", "Bearer", "Basic QTpC", "tab_1_2"):
        program = Program()
        program.defaults["HTTP_AUTHORIZATION"] = header
        assert_refused(call.send(program), "unauthorized")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_a_key_of_a_banned_account(world: World, operation: str) -> None:
    call = call_of(world, operation)
    program = caller_program(world, call)
    for account in (world.ada, world.bob, world.eve):
        services.ban_account(account.pk, "It floods.")
    key_cache.clear()
    before = rows()
    if program is world.as_nobody:
        assert call.send(program).status_code == call.spec.status
        return
    assert "It floods." in assert_refused(call.send(program), "account-banned")["detail"]
    assert rows() == before


@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_a_key_that_has_expired(world: World, operation: str) -> None:
    late = program_of(world.ada, expires=timezone.now() - timedelta(seconds=1))
    call = call_of(world, operation)
    before = rows()
    assert_refused(call.send(late), "unauthorized")
    assert rows() == before


@pytest.mark.parametrize("operation", operations_where(scope_of))
def test_with_a_key_for_something_else(world: World, operation: str) -> None:
    needed = scope_of(OPERATIONS[operation])
    call = call_of(world, operation)
    account = getattr(world, call.spec.by)
    sufficient = program_of(account, *(call.spec.scopes or (needed,)))
    program = program_of(account, *(scope for scope in ALL_SCOPES if scope != needed))
    before = rows()
    assert needed in assert_refused(call.send(program), "insufficient-scope")["detail"]
    assert rows() == before
    assert call.send(sufficient).status_code == call.spec.status


@pytest.mark.parametrize("operation", operations_where(lambda operation: spec_of(operation).other))
def test_on_a_seat_of_somebody_else(world: World, call: Call) -> None:
    assert_refused(call.send(world.as_bob), call.spec.other)


@pytest.mark.parametrize(
    "operation", operations_where(lambda operation: spec_of(operation).stranger)
)
def test_by_somebody_who_looks_on(world: World, call: Call) -> None:
    assert_refused(call.send(world.as_eve), call.spec.stranger)


@pytest.mark.parametrize(
    "operation", operations_where(lambda operation: "{game}" in operation["path"])
)
@pytest.mark.parametrize("stranger", ["eve", "nobody"])
def test_a_private_game_is_not_there_for_strangers(
    world: World, operation: str, stranger: str
) -> None:
    call = call_of(world, operation, visibility="private")
    program: Program = getattr(world, f"as_{stranger}")
    before = rows()
    if stranger == "nobody" and not is_open(OPERATIONS[operation]):
        assert_refused(call.send(program), "unauthorized")
    else:
        problem = assert_refused(call.send(program), "not-found")
        unknown_game = call.with_changes(path=call.path.replace(call.values["game"], "game_0"))
        assert without_identity(problem) == without_identity(
            assert_refused(unknown_game.send(program), "not-found")
        )
    assert rows() == before


@pytest.mark.parametrize("operation", operations_where(lambda operation: "{" in operation["path"]))
def test_where_nothing_is(world: World, call: Call) -> None:
    for value in call.values.values():
        for nowhere in NOWHERE:
            path = call.path.replace(f"/{value}", f"/{nowhere}")
            assert path != call.path
            response = call.with_changes(path=path).send(caller_program(world, call))
            assert_refused(response, "not-found", "unknown-entry")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_another_method(world: World, call: Call) -> None:
    allowed = {each.upper() for each in contract().document["paths"][_template(call)]}
    for method in METHODS - allowed:
        response = call.with_changes(method=method).send(caller_program(world, call))
        assert_refused(response, "method-not-allowed")
        assert set(response["Allow"].split(", ")) - {"HEAD", "OPTIONS"} == allowed


def _template(call: Call) -> str:
    template = contract().template(call.path)
    assert template
    return template


@pytest.mark.parametrize("operation", OPERATIONS)
def test_with_a_parameter_that_nobody_knows(world: World, call: Call) -> None:
    problem = assert_refused(call.send(caller_program(world, call), sede="1"), "unknown-parameter")
    assert problem["errors"][0]["parameter"] == "sede"


@pytest.mark.parametrize("operation", operations_where(has_body))
class TestABody:
    def test_of_another_type(self, world: World, call: Call) -> None:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            assert_refused(
                call.with_changes(kind=kind).send(caller_program(world, call)),
                "unsupported-media-type",
            )

    def test_that_is_no_json(self, world: World, call: Call) -> None:
        for body in NOT_JSON:
            assert_refused(
                call.with_changes(body=body).send(caller_program(world, call)), "invalid-json"
            )

    def test_that_is_no_object(self, world: World, call: Call) -> None:
        bodies: tuple[Any, ...] = ([], 1, True, b"null", b'"x"')
        for body in bodies:
            assert_refused(
                call.with_changes(body=body).send(caller_program(world, call)), "invalid-body"
            )

    def test_with_a_member_that_nobody_knows(self, world: World, call: Call) -> None:
        problem = assert_refused(
            call.with_changes(body=call.body | {"sede": 1}).send(caller_program(world, call)),
            "invalid-body",
        )
        assert problem["errors"][0]["pointer"] == "/sede"

    def test_that_is_huge(self, world: World, call: Call) -> None:
        huge = call.body | {"sede": "x" * (1 << 20)}
        assert_refused(call.with_changes(body=huge).send(caller_program(world, call)), "too-large")


@pytest.mark.parametrize(
    "operation",
    operations_where(
        lambda operation: LINES in operation.get("requestBody", {}).get("content", ())
    ),
)
def test_an_export_of_another_type(world: World, call: Call) -> None:
    for kind in ("application/json", "text/plain", ""):
        assert_refused(
            call.with_changes(kind=kind).send(caller_program(world, call)), "unsupported-media-type"
        )
