"""The differences between each API level and the one before, in changes.json, and whether they keep
the promises of docs/changes.md."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from api import api_level, deprecations
from api.api_level import Level
from api.document_differences import Difference, differences

CHANGES_FILE: Final = Path(__file__).with_name("changes.json")
ACCEPTED_FILE: Final = api_level.DOCUMENTS_FOLDER / "accepted.toml"
FIRST_PROMISING_LEVEL: Final = 5
EARLIER: Final = "Levels before 5 promised nothing."


def store_changes(document: dict[str, Any], levels: tuple[Level, ...]) -> None:
    """Write changes.json."""
    CHANGES_FILE.write_text(serialized(changes(document, levels)), encoding="utf-8")


def changes(
    document: dict[str, Any], levels: tuple[Level, ...] = api_level.STORED_LEVELS
) -> list[dict[str, Any]]:
    """The differences of each level, the newest first; the last level is that of the document."""
    return [
        {
            "level": number,
            "released": level.released and level.released.isoformat(),
            "breaking": [
                {"place": one.place, "change": one.change, "reason": reason(number, level, one)}
                for one in found
                if one.breaks
            ],
            "compatible": [str(one) for one in found if not one.breaks],
        }
        for number, level, found in reversed([*_differences_by_level(document, levels)])
    ]


def serialized(listed: list[dict[str, Any]]) -> str:
    """The text of changes.json."""
    return json.dumps({"levels": listed}, ensure_ascii=False, indent=2) + "\n"


def reason(number: int, level: Level, difference: Difference) -> str | None:
    """Why a level may break clients at a place: it is accepted, or its deprecation has ended. None:
    a broken promise."""
    if number < FIRST_PROMISING_LEVEL:
        return EARLIER
    accepted = accepted_reasons().get((number, difference.place))
    return accepted or _end_of_deprecation(difference, level.released or datetime.now(UTC).date())


@cache
def accepted_reasons() -> dict[tuple[int, str], str]:
    """The reasons of accepted differences, by level and place."""
    rows = tomllib.loads(ACCEPTED_FILE.read_text(encoding="utf-8"))["accepted"]
    return {(row["level"], row["place"]): row["reason"] for row in rows}


def _differences_by_level(
    document: dict[str, Any], levels: tuple[Level, ...]
) -> Iterator[tuple[int, Level, list[Difference]]]:
    documents = [api_level.level_document(number) for number in range(1, len(levels))] + [document]
    for number, (old, new) in enumerate(pairwise(documents), 2):
        yield number, levels[number - 1], differences(old, new)


def _end_of_deprecation(difference: Difference, day: date) -> str | None:
    ended = (
        one
        for one in deprecations.DEPRECATIONS
        if one.place == difference.place and difference.change == "is gone" and one.sunset <= day
    )
    return next((one.sentence for one in ended), None)
