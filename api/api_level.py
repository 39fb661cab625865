"""The API level: the version number of the API, an integer that rises with every change, stored
with the digest of the OpenAPI document at each level."""

from __future__ import annotations

import json
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

LEVEL_FILE: Final = Path(__file__).with_name("level.json")
STORED_LEVELS: Final[dict[str, Any]] = (
    json.loads(LEVEL_FILE.read_text()) if LEVEL_FILE.exists() else {"digests": [""]}
)
API_LEVEL: Final = len(STORED_LEVELS["digests"])


def document_digest(document: dict[str, Any]) -> str:
    """The digest of everything a client could depend on: all but the level and the examples."""
    plain = deepcopy(document)
    plain["info"].pop("x-api-level", None)
    return sha256(json.dumps(_without_examples(plain), sort_keys=True).encode()).hexdigest()


def digests_including(document: dict[str, Any]) -> list[str]:
    """The digests of all levels, the last being that of this document."""
    current_digest = document_digest(document)
    digests: list[str] = [digest for digest in STORED_LEVELS["digests"] if digest]
    return digests if digests[-1:] == [current_digest] else [*digests, current_digest]


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
