"""Examples of bodies and replies: real ones, recorded by `make openapi`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

EXAMPLES_FILE: Final = Path(__file__).with_name("examples.json")


def add_examples(paths: dict[str, Any]) -> None:
    """Add to every operation of the document its recorded example."""
    kept: dict[str, Any] = (
        json.loads(EXAMPLES_FILE.read_text(encoding="utf-8")) if EXAMPLES_FILE.exists() else {}
    )
    for operations in paths.values():
        for described in operations.values():
            _add_example(described, kept.get(described["operationId"], {}))


def _add_example(described: dict[str, Any], example: dict[str, Any]) -> None:
    if "body" in example:
        for content in described["requestBody"]["content"].values():
            content["example"] = example["body"]
    response = described["responses"].get(str(example.get("status")), {})
    for content in response.get("content", {}).values():
        content["example"] = example["reply"]
