"""A message that repeats passes once a second, with the number of those left out."""

from __future__ import annotations

import logging

from games.logging_throttle import MAX_TRACKED_TEMPLATES, OncePerSecondFilter


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def format_if_passed(
    seldom: OncePerSecondFilter, message: str, *arguments: object, level: int = 30
) -> str | None:
    """The formatted message, if it passes."""
    record = logging.LogRecord("a.logger", level, "", 0, message, arguments, None)
    return record.getMessage() if seldom.filter(record) else None


def test_once_a_second_with_the_number_of_those_left_out() -> None:
    clock = Clock()
    seldom = OncePerSecondFilter(clock=clock)
    assert format_if_passed(seldom, "no %s", "file") == "no file"
    assert [format_if_passed(seldom, "no %s", number) for number in range(5000)] == [None] * 5000
    clock.now = 1.0
    assert format_if_passed(seldom, "no %s", "room") == "no room (5000 more like this were omitted)"
    clock.now = 2.0
    assert format_if_passed(seldom, "no %s", "room") == "no room"


def test_others_pass_beside_it() -> None:
    seldom = OncePerSecondFilter(clock=Clock())
    assert format_if_passed(seldom, "one") == "one"
    assert format_if_passed(seldom, "another") == "another"
    assert format_if_passed(seldom, "one", level=40) == "one"
    assert format_if_passed(seldom, "one") is None


def test_so_many_pass_as_may() -> None:
    seldom = OncePerSecondFilter(3, clock=Clock())
    assert [format_if_passed(seldom, "one") for _ in range(5)] == ["one"] * 3 + [None] * 2


def test_what_is_remembered_is_bounded() -> None:
    seldom = OncePerSecondFilter(clock=Clock())
    for number in range(3 * MAX_TRACKED_TEMPLATES):
        format_if_passed(seldom, f"a template of its own {number}")
    assert len(seldom.counts_by_template) <= MAX_TRACKED_TEMPLATES + 1
