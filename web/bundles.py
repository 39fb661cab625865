"""Modules that are served as one script: fewer requests, and texts that compress together. Each
module of a bundle keeps a scope of its own, so that no name has to differ from those of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import Final

# Modules whose addresses serve bundles, with the other modules of these: a module is in the first
# bundle that names it or imports it at first.
ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "account.js": ("dom.js", "fairness.js"),  # for most pages
    "verify-page.js": ("seeds.js",),
    "pages.js": (),
    "table.js": (),
}
_IMPORT: Final = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";$', re.MULTILINE)
_LATER: Final = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT: Final = re.compile(
    r"^export ((?:async function\*?|function\*?|class|const) (\w+))", re.MULTILINE
)
_NAME: Final = re.compile(r"[{,] (\w+)")  # in the braces of an import, before any `as`


class Bundles:
    """The scripts of a folder, by their paths within it."""

    def __init__(
        self, sources: Mapping[str, str], entries: Mapping[str, tuple[str, ...]] = ENTRIES
    ) -> None:
        self._sources = sources
        self.entries = entries

    def script(self, name: str) -> str:
        """The script at an address: a bundle, or a module alone."""
        if name not in self.entries:
            return self._sources[name]
        members = [each for each in self._order if self.bundle_of[each] == name]
        shared = [each for each in members if self._is_shared(each)]
        own = ", ".join(self._exports(name))
        lines = [
            *self._imports_of_bundle(name, members),
            *(self._scope(member, name) for member in members),
            f"export const {{ {own} }} = {self._scope_of(name)};" if own else "",
            f"export {{ {', '.join(map(self._scope_of, shared))} }};" if shared else "",
        ]
        return "\n".join(line for line in lines if line) + "\n"

    @cached_property
    def bundle_of(self) -> dict[str, str]:
        """The bundle of each module that is in one."""
        found: dict[str, str] = {}
        for entry, more in self.entries.items():
            members: dict[str, None] = {}
            for name in (*more, entry):
                self._visit(name, members, ())
            for member in members:
                found.setdefault(member, entry)
        return found

    @cached_property
    def _order(self) -> list[str]:
        """The modules of all bundles, each after those that it imports."""
        order: dict[str, None] = {}
        for entry, more in self.entries.items():
            for name in (*more, entry):
                self._visit(name, order, ())
        return list(order)

    def _visit(self, name: str, order: dict[str, None], path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"modules import each other: {path}")
        if name not in order:
            for imported in self._imports(name):
                self._visit(imported, order, (*path, name))
            order[name] = None

    def _imports(self, name: str) -> dict[str, list[str]]:
        """The modules that a module imports at first, and which of their names."""
        return {
            _path(name, address): _NAME.findall(names)
            for names, address in _IMPORT.findall(self._sources[name])
        }

    def _imports_later(self, name: str) -> list[str]:
        return [_path(name, address) for address in _LATER.findall(self._sources[name])]

    def _exports(self, name: str) -> list[str]:
        return [found for _, found in _EXPORT.findall(self._sources[name])]

    @cached_property
    def _later(self) -> frozenset[str]:
        """The modules that any imports later."""
        return frozenset(each for name in self._order for each in self._imports_later(name))

    def _is_shared(self, name: str) -> bool:
        """Whether other bundles need a module of this one."""
        own = self.bundle_of[name]
        users = (each for each in self._order if self.bundle_of[each] != own)
        return any(name in (*self._imports(each), *self._imports_later(each)) for each in users)

    def _given(self, name: str) -> list[str]:
        """The names that others need, of all that a module exports."""
        exports = self._exports(name)
        if name in self.entries or name in self._later:
            return exports
        wanted = {each for user in self._order for each in self._imports(user).get(name, ())}
        return [each for each in exports if each in wanted]

    def _imports_of_bundle(self, name: str, members: list[str]) -> Iterator[str]:
        """The imports with which a bundle begins."""
        wanted = {imported for member in members for imported in self._imports(member)}
        for entry in self.entries:
            found = [each for each in self._order if each in wanted]
            scopes = [
                self._scope_of(each) for each in found if self.bundle_of[each] == entry != name
            ]
            if scopes:
                yield f'import {{ {", ".join(scopes)} }} from "./{entry}";'

    def _scope(self, name: str, bundle: str) -> str:
        """A module as a function that gives the names that others need."""

        def imported(found: re.Match[str]) -> str:
            scope = self._scope_of(_path(name, found[2]))
            return f"const {found[1].replace(' as ', ': ')} = {scope};" if found[1] else ""

        def imported_later(found: re.Match[str]) -> str:
            target = _path(name, found[1])
            holder = self.bundle_of.get(target)
            if holder is None:
                return f'import("./{target}")'
            if holder == bundle:
                return f"Promise.resolve({self._scope_of(target)})"
            return f'import("./{holder}").then((all) => all.{self._scope_of(target)})'

        text = _LATER.sub(imported_later, _IMPORT.sub(imported, self._sources[name]))
        body = _EXPORT.sub(r"\1", text)
        given = ", ".join(self._given(name))
        if not given:
            return f"(() => {{\n{body}\n}})();"
        return f"const {self._scope_of(name)} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();"

    def _scope_of(self, name: str) -> str:
        """The names that a module gives, as bundles call them together."""
        return f"${self._order.index(name)}"


def _path(name: str, address: str) -> str:
    """The module at an address that a module imports."""
    return normpath(join(dirname(name), address))
