"""docs/verify.py and other programs that stand alone, as modules."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

DOCS = Path(__file__).resolve().parents[2] / "docs"
READ: Final = b"a line that was read before"


def load_program(path: Path) -> Any:
    """A program that stands alone, as a module."""
    spec = importlib.util.spec_from_file_location(f"{path.stem}_program", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def imported_packages(path: Path) -> set[str]:
    """The packages that a program imports, which is one for Python 3.9."""
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    modules = [
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else _names(node))
    ]
    return {module.split(".")[0] for module in modules}


def _names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


VERIFIER = load_program(DOCS / "verify.py")


class CommonBeginning:
    """What docs/verify.py knows after each line of a good file. A file that begins with the same
    lines is verified from there on, with the same verdict: the lines before are not read again."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.exports = [VERIFIER.Export()]
        for line in lines:
            export = copy_of(self.exports[-1])
            export.read(VERIFIER.parsed(line), line[:-1])
            self.exports.append(export)

    def verify(self, lines: Sequence[bytes], common: int) -> None:
        """Verify a file whose first `common` lines are those of the good file; raises Wrong."""
        export = copy_of(self.exports[common])
        export.read = unless_read(export.read)
        parsed = unless_read(VERIFIER.parsed)
        with patch.multiple(VERIFIER, Export=lambda: export, parsed=parsed):
            VERIFIER.verify([READ] * common + list(lines[common:]))


def unless_read(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which leaves the lines that were read before as they are."""
    return lambda first, *rest: first if first is READ else function(first, *rest)


def copy_of(export: Any) -> Any:
    """A copy that can be read on without changing the original."""
    other = copy(export)
    parts = [other]
    if export.table is not None:
        other.table = copy(export.table)
        parts.append(other.table)
    for part in parts:
        for name, value in vars(part).items():
            if isinstance(value, (dict, list, set)):
                setattr(part, name, value.copy())
    return other
