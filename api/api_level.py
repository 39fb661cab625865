"""The API level: the version number of the API, an integer that rises with every change, stored
with the digest of the OpenAPI document at each level. A released level stays as it is."""

from __future__ import annotations

import json
import lzma
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

LEVEL_FILE: Final = Path(__file__).with_name("level.json")
DOCUMENTS_FOLDER: Final = Path(__file__).with_name("levels")  # of released levels


@dataclass(frozen=True)
class Level:
    """The digest of a level's document, and the day of its release; until then it may change."""

    digest: str
    released: date | None = None


def levels_in(text: str) -> list[Level]:
    """The levels in a text of `level.json`."""
    return [
        Level(one["digest"], one["released"] and date.fromisoformat(one["released"]))
        for one in json.loads(text)["levels"]
    ]


STORED_LEVELS: Final = tuple(levels_in(LEVEL_FILE.read_text(encoding="utf-8")))
API_LEVEL: Final = len(STORED_LEVELS)


def described_api(document: dict[str, Any]) -> dict[str, Any]:
    """Everything in a document on which a client could depend: all but the level and the
    examples."""
    plain = deepcopy(document)
    plain["info"].pop("x-api-level", None)
    described: dict[str, Any] = _without_examples(plain)
    return described


def document_digest(document: dict[str, Any]) -> str:
    """The digest of the API that a document describes."""
    return sha256(json.dumps(described_api(document), sort_keys=True).encode()).hexdigest()


def released_levels(levels: tuple[Level, ...] = STORED_LEVELS) -> tuple[Level, ...]:
    """The levels that stay as they are: all but the last one, perhaps."""
    return tuple(level for level in levels if level.released)


def levels_including(
    document: dict[str, Any], levels: tuple[Level, ...] = STORED_LEVELS
) -> tuple[Level, ...]:
    """The levels up to that of this document, which comes after the released ones."""
    digest, released = document_digest(document), released_levels(levels)
    return released if released[-1].digest == digest else (*released, Level(digest))


def store_levels(levels: tuple[Level, ...]) -> None:
    """Write `level.json`, unless a released level would be lost."""
    released = released_levels()
    if levels[: len(released)] != released:
        raise ValueError("A released level stays as it is.")
    listed = [
        {"digest": level.digest, "released": level.released and level.released.isoformat()}
        for level in levels
    ]
    LEVEL_FILE.write_text(json.dumps({"levels": listed}, indent=2) + "\n", encoding="utf-8")


def level_document(number: int) -> dict[str, Any]:
    """The document of a released level, without its examples."""
    document: dict[str, Any] = json.loads(lzma.decompress(_document_file(number).read_bytes()))
    return document


def store_document(number: int, document: dict[str, Any]) -> None:
    """Keep the document of a level that is released."""
    text = json.dumps(described_api(document), ensure_ascii=False, separators=(",", ":"))
    preset = 9 | lzma.PRESET_EXTREME
    _document_file(number).write_bytes(lzma.compress(text.encode(), preset=preset))


def _document_file(number: int) -> Path:
    return DOCUMENTS_FOLDER / f"{number}.json.xz"


def _without_examples(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_examples(item) for item in node]
    if not isinstance(node, dict):
        return node
    is_content = "schema" in node
    return {
        name: _without_examples(value)
        for name, value in node.items()
        if not (is_content and name == "example")
    }
