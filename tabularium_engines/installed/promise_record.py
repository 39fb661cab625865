"""The promise record of a package: which promises each of its rulesets keeps, and by which sources.

`manage.py check_game --record` writes it as a Python module beside the rules, so that every build
backend packs it. It is parsed and never imported. A ruleset is proven while the digest of its
sources and that of the promises are those of the record.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tabularium_engines.builds.compiled_engines import PACKAGE, PROJECT_ROOT
from tabularium_engines.installed.plugins import source_path

PROMISES_FOLDER: Final = PROJECT_ROOT / PACKAGE / "promises"
PROMISE_NUMBERS: Final = (*range(1, 13), 14, 15, 16, 17)
COMPILED_PROMISE: Final = 13  # that both builds agree: recorded where it was checked
RECORD_NAME: Final = "RECORD"  # of the dictionary in the module
MODULE_TEXT: Final = '''"""The promises that these rules keep, written by `manage.py check_game`."""

{name} = {{{entries}}}
'''
ENTRY_TEXT: Final = """
    "{ruleset}": {{
        "rules": "{rules}",
        "checks": "{checks}",
        "promises": {promises},
    }},"""


def record_path(module: str) -> Path | None:
    """The file of the promise record of the package that a module belongs to; None if the source of
    the package is not found."""
    root = module.partition(".")[0]
    source = source_path(root)
    if source is None:
        return None
    is_package = source.stem == "__init__"
    return source.with_name("kept_promises.py" if is_package else f"{root}_promises.py")


def record_text(digests: Mapping[str, str], promises: Iterable[int]) -> str:
    """The source of a record: the rulesets with the digests of their sources, and the promises that
    all of them keep."""
    kept = json.dumps(sorted(promises))
    entries = "".join(
        ENTRY_TEXT.format(ruleset=ruleset, rules=digest, checks=promises_digest(), promises=kept)
        for ruleset, digest in sorted(digests.items())
    )
    return MODULE_TEXT.format(name=RECORD_NAME, entries=f"{entries}\n" if entries else "")


def is_proven(module: str, ruleset: str, digest: str) -> bool:
    """Whether the package of a module records that this ruleset, with this digest of its sources,
    keeps the promises as they are now."""
    entry = _read_record(module).get(ruleset)
    if not isinstance(entry, dict) or not isinstance(entry.get("promises"), list):
        return False
    is_current = (entry.get("rules"), entry.get("checks")) == (digest, promises_digest())
    return is_current and all(number in entry["promises"] for number in PROMISE_NUMBERS)


def _read_record(module: str) -> dict[str, Any]:
    """The record of a module's package; empty if there is none, or none that can be read."""
    path = record_path(module)
    if path is None or not path.is_file():
        return {}
    try:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == RECORD_NAME:
                record = ast.literal_eval(node.value)
                return record if isinstance(record, dict) else {}
    except (SyntaxError, ValueError):
        return {}
    return {}


@cache
def promises_digest() -> str:
    """The digest of the promises themselves."""
    content = sha256()
    for path in sorted(PROMISES_FOLDER.glob("*.py")):
        content.update(path.name.encode() + b"\0" + sha256(path.read_bytes()).digest())
    return content.hexdigest()
