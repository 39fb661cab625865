"""Rule books: the text that explains a ruleset to people."""

from __future__ import annotations

import inspect
import sys
from importlib import resources

from tabularium_engines.base import AnyEngine


def rule_book(engine: AnyEngine) -> str:
    """The rule book of a ruleset, in Markdown: RULES.md beside its engine or, of a game in one
    file, the docstring of that file."""
    module = type(engine).__module__
    package = module.rpartition(".")[0]
    if package:
        book = resources.files(package).joinpath("RULES.md")
        if book.is_file():
            return book.read_text(encoding="utf-8")
    return f"# {engine.about.title}\n\n{inspect.getdoc(sys.modules[module]) or ''}\n"
