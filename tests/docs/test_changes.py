"""docs/changes.md is exact: it lists today's deprecations, and how long they are kept."""

from __future__ import annotations

from datetime import date
from typing import Final

from api.deprecations import DEPRECATIONS, KEPT_FOR, Deprecation
from tests.docs.verifier import DOCS

PAGE: Final = (DOCS / "changes.md").read_text(encoding="utf-8")
HEAD: Final = "| place | since | until | instead |\n|---|---|---|---|\n"


def table(rows: tuple[Deprecation, ...]) -> str:
    """The table of deprecations."""
    lines = (f"| `{one.place}` | {one.since} | {one.sunset} | {one.instead} |\n" for one in rows)
    return HEAD + "".join(lines)


def test_every_deprecation_is_listed() -> None:
    assert PAGE.partition("<!-- deprecations -->\n")[2] == table(DEPRECATIONS)


def test_a_deprecation_that_is_not_listed_is_noticed() -> None:
    one = Deprecation("GET /games", date(2026, 1, 1), date(2027, 1, 1), "Guess.")
    assert PAGE.partition("<!-- deprecations -->\n")[2] != table((one,))


def test_the_time_of_notice_is_listed() -> None:
    assert f"at least {KEPT_FOR.days} days before" in PAGE
