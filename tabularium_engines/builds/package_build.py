"""The build of a package of games with mypyc: `setup(**compiled_game("my_game.py"))` in a setup.py
makes a wheel with compiled modules beside their sources.

A package is compiled apart from the unit of this project, whose memory layouts it does not know. So
every class with a base from elsewhere stays a Python class, whose methods are compiled. Annotations
become strings, because mypyc keeps no more than the bare type of any other. Docstrings, which mypyc
drops, are set again: rule books and schemas show them.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from setuptools.command.build_ext import build_ext

from tabularium_engines.builds import compiled_engines
from tabularium_engines.builds.compiled_sources import digest_file, source_digest

BUILD_COMMANDS: Final = frozenset({"build_ext", "bdist_wheel", "editable_wheel"})
LEVEL_VARIABLE: Final = "TABULARIUM_OPTIMISATION"  # 0 compiles in half the time, for tests
COPIES_FOLDER: Final = "build/rules"  # the sources as they are compiled
CODE_FOLDER: Final = "build/c"
SETUP_SCRIPT: Final = """from setuptools import setup
from tabularium_engines.builds.package_build import compiled_game
setup(name="compiled-in-place", packages=[], py_modules=[], **compiled_game(*{paths!r}))
"""
MARK: Final = "@mypyc_attr(native_class=False)"
IMPORT_OF_MARK: Final = "from mypy_extensions import mypyc_attr"


def compiled_game(*paths: str) -> dict[str, Any]:
    """The arguments of `setuptools.setup` that compile these modules; without a C compiler, none,
    and the package is interpreted."""
    if not BUILD_COMMANDS & set(sys.argv):
        return {}
    if not compiled_engines.has_compiler():
        print("No C compiler with Python's headers found: the game runs interpreted.")
        return {}
    command = type("BuildGame", (BuildGame,), {"paths": paths})
    return {"ext_modules": _extensions(paths), "cmdclass": {"build_ext": command}}


def build_in_place(folder: Path, paths: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Compile modules beside their sources in a folder, in a process of its own."""
    (folder / "setup.py").write_text(SETUP_SCRIPT.format(paths=sorted(paths)), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(compiled_engines.PROJECT_ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


class BuildGame(build_ext):
    """Adds a file to each compiled module that identifies its source."""

    paths: tuple[str, ...] = ()

    def run(self) -> None:
        super().run()
        folder = Path() if self.inplace else Path(self.build_lib)
        for path in self.paths:
            target = digest_file(folder / path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source_digest(Path(path)))


def _extensions(paths: tuple[str, ...]) -> list[Any]:
    from mypyc.build import mypycify

    shutil.rmtree(COPIES_FOLDER, ignore_errors=True)
    for folder in {Path(path).parts[0] for path in paths if len(Path(path).parts) > 1}:
        shutil.copytree(folder, Path(COPIES_FOLDER, folder))
    sources = {path: Path(path).read_text(encoding="utf-8") for path in paths}
    for path, source in prepared_sources(sources).items():
        copy = Path(COPIES_FOLDER, path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(source, encoding="utf-8")
    options = ["--config-file=", f"--cache-dir={os.devnull}", "--follow-imports=silent"]
    with _findable_project():
        modules = mypycify(
            [*options, *(f"{COPIES_FOLDER}/{path}" for path in paths)],
            opt_level=os.environ.get(LEVEL_VARIABLE, compiled_engines.OPTIMISATION_LEVEL),
            target_dir=CODE_FOLDER,
        )
    compiled_engines.give_back_vecs(Path(CODE_FOLDER))
    for extension in modules:
        extension.extra_compile_args += compiled_engines.COMPILER_FLAGS
    return modules


@contextmanager
def _findable_project() -> Iterator[None]:
    """Let mypy find this project, unless it is installed, where it is found anyway."""
    before = os.environ.get("MYPYPATH")
    root = str(compiled_engines.PROJECT_ROOT)
    if root not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        os.environ["MYPYPATH"] = os.pathsep.join(filter(None, (root, before)))
    try:
        yield
    finally:
        os.environ.pop("MYPYPATH", None)
        if before is not None:
            os.environ["MYPYPATH"] = before


# -- the sources as they are compiled -------------------------------------------------------------


def prepared_sources(sources: Mapping[str, str]) -> dict[str, str]:
    """The sources of one unit, by path, with the classes marked that must stay Python classes."""
    trees = {path: ast.parse(source) for path, source in sources.items()}
    native = _native_classes(trees.values())
    return {path: _prepare(source, trees[path], native) for path, source in sources.items()}


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in tree.body if isinstance(node, ast.ClassDef))


def _native_classes(trees: Iterable[ast.Module]) -> set[str]:
    """The names of the classes without decorators whose bases are all native classes, too."""
    plain = [
        node
        for tree in trees
        for node in _classes(tree)
        if not node.decorator_list and not node.keywords
    ]
    native: set[str] = set()
    while True:
        found = {
            node.name
            for node in plain
            if all(isinstance(base, ast.Name) and base.id in native for base in node.bases)
        }
        if found == native:
            return native
        native = found


def _prepare(source: str, tree: ast.Module, native: set[str]) -> str:
    """One source with its marks; no line moves if there is an empty one above each class."""
    lines = [line.encode() for line in source.split("\n")]
    for node in reversed([node for node in _classes(tree) if node.name not in native]):
        for statement in reversed(node.body):
            if isinstance(statement, ast.AnnAssign):
                _quote(lines, statement.annotation)
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
        if first and not lines[first - 1].strip():
            lines[first - 1] = MARK.encode()
        else:
            lines.insert(first, MARK.encode())
    lines.insert(*_import_of_mark(tree, lines))
    return b"\n".join([*lines, *_docstrings(tree, native)]).decode()


def _docstrings(tree: ast.Module, native: set[str]) -> Iterator[bytes]:
    """Statements that set the docstrings of the module and of its Python classes."""
    if docstring := ast.get_docstring(tree, clean=False):
        yield f"__doc__ = {docstring!r}".encode()
    for node in _classes(tree):
        docstring = ast.get_docstring(node, clean=False)
        if docstring and node.name not in native:
            yield f'setattr({node.name}, "__doc__", {docstring!r})'.encode()


def _import_of_mark(tree: ast.Module, lines: list[bytes]) -> tuple[int, bytes]:
    """Where the mark is imported, which is behind the imports from the future: on their line."""
    last = 0
    for node in tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and getattr(node, "module", "") != "__future__":
            break
        last = node.end_lineno or 0
    if not last:
        return 0, IMPORT_OF_MARK.encode()
    return last - 1, lines.pop(last - 1) + f"; {IMPORT_OF_MARK}".encode()


def _quote(lines: list[bytes], annotation: ast.expr) -> None:
    """Turn an annotation into a string, in place."""
    if isinstance(annotation, ast.Constant):
        return
    first, last = annotation.lineno - 1, (annotation.end_lineno or 0) - 1
    tail = lines[last][annotation.end_col_offset :]
    text = repr(ast.unparse(annotation)).encode()
    lines[first : last + 1] = [lines[first][: annotation.col_offset] + text + tail]
