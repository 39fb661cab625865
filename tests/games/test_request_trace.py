"""Traces: which request ids are accepted from callers, and how far a trace reaches."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from threading import Thread

import pytest

from games import request_trace


@pytest.mark.parametrize("request_id", ["a", "req_0-9.Z", "x" * 128])
def test_a_valid_id_is_taken_from_the_caller(request_id: str) -> None:
    assert request_trace.choose_request_id(request_id) == request_id


@pytest.mark.parametrize("request_id", [None, "", "x" * 129, "a b", "a\nb", "ä", "a\n", '"', "{}"])
def test_any_other_id_is_replaced(request_id: str | None) -> None:
    new_id = request_trace.choose_request_id(request_id)
    assert new_id != request_id
    assert request_trace.REQUEST_ID_PATTERN.fullmatch(new_id)
    assert new_id != request_trace.choose_request_id(request_id)


def test_the_first_valid_id_counts() -> None:
    assert request_trace.choose_request_id("not valid", "second", "third") == "second"


def test_without_a_trace_nothing_is_noted() -> None:
    with request_trace.use_trace(None):
        request_trace.add_to_trace(game="g")
        assert request_trace.logged_fields() == {}


def test_what_is_noted_in_a_copied_context_is_known_everywhere() -> None:
    with request_trace.use_trace({request_trace.REQUEST_ID_FIELD: "r"}):
        context = copy_context()
        thread = Thread(
            target=context.run, args=(lambda: request_trace.add_to_trace(game="g", account=None),)
        )
        thread.start()
        thread.join()
        assert request_trace.logged_fields() == {"request_id": "r", "game": "g"}
    assert request_trace.current_trace() is None


def test_requests_at_once_do_not_mix() -> None:
    async def trace_of_request(name: str) -> dict[str, str]:
        request_trace.set_trace({request_trace.REQUEST_ID_FIELD: name})
        await asyncio.sleep(0)
        request_trace.add_to_trace(game=f"game of {name}")
        await asyncio.sleep(0)
        return request_trace.logged_fields()

    async def three_requests() -> list[dict[str, str]]:
        return await asyncio.gather(*map(trace_of_request, "abc"))

    for fields, name in zip(asyncio.run(three_requests()), "abc", strict=True):
        assert fields == {"request_id": name, "game": f"game of {name}"}
