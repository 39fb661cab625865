"""Sections of a documentation page that are written from measurements: tables between two comments
that name them, and the names of rules in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tabularium_engines.installed.registry import ENGINES


def page_with_sections(path: Path, sections: Mapping[str, Iterable[str]]) -> str:
    """The page with these lines in its sections; ValueError if it does not have each once."""
    page = path.read_text()
    for name, lines in sections.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        if page.count(start) != 1 or page.count(end) != 1:
            raise ValueError(f"{path.name} has no section for {name}.")
        before, rest = page.split(start)
        _, after = rest.split(end)
        page = before + start + "".join(f"{line}\n" for line in lines) + end + after
    return page


def table_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    return [f"| {' | '.join(row)} |" for row in rows]


def name_of_rules(slug: str, version: int, title: str) -> str:
    """The title, with the version if there are several; earlier ones are marked as such."""
    newest = ENGINES[slug].about.version
    if newest == 1:
        return title
    return f"{title} {version}" + ("" if version == newest else " (earlier)")
