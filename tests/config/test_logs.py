"""Log lines: the contents of each, in both formats, and the throttling of a flood."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from config import logs
from config.environment import ConfigurationError
from games import process_metrics, request_trace

TRACE = {"request_id": "night-1", "game": "game_1", "account": "account_1", "route": "game-log"}


def record(message: str = "It is %s.", *args: Any, **fields: Any) -> logging.LogRecord:
    """A log record."""
    level = fields.pop("level", logging.WARNING)
    log_record = logging.getLogger("some.place").makeRecord(
        "some.place", level, "file.py", 1, message, args, fields.pop("exc_info", None)
    )
    log_record.__dict__.update(fields)
    return log_record


def exception_info() -> Any:
    """An exception with its traceback."""
    try:
        raise ValueError("a reason")
    except ValueError:
        return sys.exc_info()


@pytest.fixture
def current_request() -> Iterator[None]:
    """A request in progress."""
    with request_trace.use_trace(dict(TRACE)):
        yield


@pytest.mark.usefixtures("current_request")
def test_a_json_line_has_all_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.PROCESS_NAME_VARIABLE, "web")
    line = json.loads(
        logs.JsonFormatter().format(record("It is %s.", "late", facts={"status": 500}))
    )
    assert line.pop("time").endswith("Z")
    assert line.pop("process") > 0
    assert line == {
        "level": "WARNING",
        "logger": "some.place",
        "message": "It is late.",
        "part": "web",
        "request_id": "night-1",
        "game": "game_1",
        "account": "account_1",
        "status": 500,
    }


@pytest.mark.usefixtures("current_request")
def test_a_traceback_is_inside_its_json_line() -> None:
    text = logs.JsonFormatter().format(record("Failed", exc_info=exception_info()))
    assert "\n" not in text
    assert "ValueError: a reason" in json.loads(text)["traceback"]


def test_a_json_line_takes_what_json_does_not() -> None:
    text = logs.JsonFormatter().format(record("a \ud800 surrogate", facts={"path": sys}))
    assert json.loads(text)["message"] == "a ? surrogate"


@pytest.mark.usefixtures("current_request")
def test_a_text_line_has_all_that_is_known() -> None:
    line = logs.TextFormatter().format(record("It is %s.", "late"))
    assert line.endswith(
        "some.place [request_id=night-1 game=game_1 account=account_1]: It is late."
    )
    assert " WARNING " in line


def test_no_message_pretends_to_be_a_line_of_its_own() -> None:
    forged = "2026-01-01T00:00:00.000Z ERROR 1 django: forged"
    lines = logs.TextFormatter().format(record("Not Found: /%s", f"\n{forged}")).splitlines()
    assert lines[1:] == [f"    {forged}"]


def test_a_text_line_is_followed_by_its_traceback() -> None:
    text = logs.TextFormatter().format(record("Failed", exc_info=exception_info()))
    assert text.splitlines()[-1] == "ValueError: a reason"


# -- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["LOG_FORMAT", "LOG_LEVEL"])
def test_unknown_settings_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"TABULARIUM_{name}", "loud")
    with pytest.raises(ConfigurationError, match=f"TABULARIUM_{name}"):
        logs.logging_configuration()


def test_the_form_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert logs.logging_configuration()["handlers"]["console"]["formatter"] == "text"
    monkeypatch.setenv("TABULARIUM_LOG_FORMAT", "json")
    assert logs.logging_configuration()["handlers"]["console"]["formatter"] == "json"


# -- a flood --------------------------------------------------------------------------------------


def test_a_flood_is_held_to_a_line_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(logs, "monotonic", lambda: now)
    throttle, passed_count = logs.ThrottleFilter(), 0
    process_metrics.metrics.drain()
    for _ in range(1_000):
        passed_count += throttle.filter(record())
    assert passed_count == logs.BURST_LINES
    assert process_metrics.metrics.drain()[0] == {
        process_metrics.LINES_DROPPED: 1_000 - logs.BURST_LINES
    }
    now += logs.REFILL_SECONDS
    following = [record(), record()]
    assert [throttle.filter(log_record) for log_record in following] == [True, False]
    assert (
        logs.TextFormatter()
        .format(following[0])
        .endswith(f"({1_000 - logs.BURST_LINES} more of these were dropped)")
    )


def test_a_flood_of_one_kind_hides_no_other() -> None:
    throttle = logs.ThrottleFilter()
    for _ in range(1_000):
        throttle.filter(record())
    assert throttle.filter(record("Another."))
    assert throttle.filter(record(exc_info=exception_info()))


def test_requests_are_never_dropped() -> None:
    throttle, line = logs.ThrottleFilter(), record()
    line.name = "tabularium.access"
    assert all(throttle.filter(line) for _ in range(1_000))


def test_the_throttle_knows_a_bounded_number_of_kinds() -> None:
    throttle = logs.ThrottleFilter()
    for number in range(3 * logs.MAX_TRACKED_KINDS):
        throttle.filter(record(f"kind {number}"))
    assert len(throttle._full_at) == logs.MAX_TRACKED_KINDS


# -- the supervisor -------------------------------------------------------------------------------


def test_the_supervisor_names_the_part_of_a_text_line() -> None:
    assert logs.relay_line("web", "a line", "text") == "web     | a line"


def test_json_lines_stay_json() -> None:
    line = json.dumps({"message": "hello", "part": "worker"})
    assert logs.relay_line("worker", line, "json") == line
    assert json.loads(logs.relay_line("web", '{"message": "x"}', "json"))["part"] == "web"


def test_the_supervisor_says_how_bad_the_end_of_a_process_is() -> None:
    line = logs.format_report("web", "ended (SIGKILL)", logging.ERROR, "text")
    assert re.fullmatch(r"web     \| \S+Z ERROR \d+ supervisor: ended \(SIGKILL\)", line)
    document = json.loads(logs.format_report("web", "ended (SIGKILL)", logging.ERROR, "json"))
    facts = ("web", "supervisor", "ERROR", "ended (SIGKILL)")
    assert tuple(document[key] for key in ("part", "logger", "level", "message")) == facts


@pytest.mark.parametrize("line", ["Traceback (most recent call last):", "{", "[1]", '"text"', ""])
def test_what_is_no_json_becomes_json(line: str) -> None:
    document = json.loads(logs.relay_line("worker", line, "json"))
    assert (document["part"], document["message"]) == ("worker", line)
