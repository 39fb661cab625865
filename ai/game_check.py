"""The check of a game: every promise of the engine contract, on random games at every number of
seats and in every variant."""

from __future__ import annotations

import inspect
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from tabularium_engines import GAMES
from tabularium_engines.base import AnyEngine
from tabularium_engines.builds.compiled_engines import PACKAGE
from tabularium_engines.installed import plugins
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.random_games import play
from tabularium_engines.promises.variants import Table, tables

SAMPLE: Final = 10  # positions of a game that are examined closely
MIN_POSITIONS: Final = 60  # at each table: shorter games are played more often
PROMISES_FOLDER: Final = Path(str(inspect.getfile(tables))).parent


class CheckRefused(ValueError):
    """There is no game to check; the sentence says what to do."""


class CheckedGame(NamedTuple):
    """The engines that one module offers."""

    module: str
    engines: tuple[AnyEngine, ...]


class Breach(NamedTuple):
    """The first game that breaks a promise."""

    number: int
    table: Table
    seed: int
    error: Exception


# -- finding the game ------------------------------------------------------------------------------


def load_games(target: str) -> list[CheckedGame]:
    """The games of a file, a folder or an installed module, or one of this project by its slug;
    raises CheckRefused."""
    if target in GAMES:
        versions = [engine for ruleset, engine in RULESETS.items() if ruleset.slug == target]
        return [CheckedGame(f"{PACKAGE}.{target}", tuple(versions))]
    folder, points = _find_entry_points(target)
    if folder is not None and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    invalidate_caches()
    return [_load_game(target, folder, point) for point in points]


def _find_entry_points(target: str) -> tuple[Path | None, list[EntryPoint]]:
    """The folder from which the modules are imported (None: they are installed), and the entry
    points that name the engines."""
    path = Path(target).resolve()
    if path.suffix == ".py" and path.is_file():
        return path.parent, [_entry_point(path.stem, f"{path.stem}:ENGINES")]
    if (path / "__init__.py").is_file():
        return path.parent, [_entry_point(path.name, f"{path.name}:ENGINES")]
    if (path / "pyproject.toml").is_file():
        source = path / "src"
        return (source if source.is_dir() else path), _declared_entry_points(path)
    if all(part.isidentifier() for part in target.split(".")) and _is_module(target):
        installed = [point for point in _installed_entry_points() if point.module == target]
        return None, installed or [_entry_point(target, f"{target}:ENGINES")]
    raise CheckRefused(
        f"{target} is no file, no folder with a package or a pyproject.toml, no installed"
        " module and no game of this project."
    )


def _entry_point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, plugins.ENTRY_POINT_GROUP)


def _installed_entry_points() -> list[EntryPoint]:
    return list(entry_points(group=plugins.ENTRY_POINT_GROUP))


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # of a parent
        return False


def _declared_entry_points(folder: Path) -> list[EntryPoint]:
    """The entry points that a pyproject.toml declares for games."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project.get("entry-points", {}).get(plugins.ENTRY_POINT_GROUP, {})
    if not declared:
        raise CheckRefused(
            f"{folder.name}/pyproject.toml has no entry point {plugins.ENTRY_POINT_GROUP}."
        )
    return [_entry_point(name, value) for name, value in sorted(declared.items())]


def _load_game(target: str, folder: Path | None, point: EntryPoint) -> CheckedGame:
    """Import the engines of one entry point, from that folder alone."""
    source = plugins.source_path(point.module)
    if folder is not None and (source is None or not source.resolve().is_relative_to(folder)):
        raise CheckRefused(f"{target} is not what is imported as {point.module}, but {source}.")
    try:
        engines = plugins.load_engines(point, target)
    except Exception as error:
        sentence = f"{target} cannot be imported: {error!r}"
        raise CheckRefused("\n".join([sentence, *_frames(error, point.module)])) from error
    if not engines:
        raise CheckRefused(f"{target} brings no engine: ENGINES is empty.")
    return CheckedGame(point.module, engines)


# -- checking it -----------------------------------------------------------------------------------


def promise_sentence(promise: Callable[..., None]) -> str:
    """What a promise says."""
    first_paragraph = inspect.cleandoc(promise.__doc__ or "").partition("\n\n")[0]
    return " ".join(first_paragraph.split())


def find_breach(number: int, engine: AnyEngine, games: int) -> Breach | None:
    """The first game that breaks a promise, of some or more at each table; None if all keep it."""
    for table in tables(engine):
        seed = positions = 0
        while seed < games or positions < MIN_POSITIONS:
            try:
                PROMISES[number](engine, table.options, table.seats, seed, SAMPLE)
                positions += len(play(engine, table.options, table.seats, seed).positions)
            except Exception as error:  # noqa: BLE001  # rules under test may raise anything
                return Breach(number, table, seed, error)
            seed += 1
    return None


def breach_lines(breach: Breach, module: str) -> Iterator[str]:
    """The report of a breach: the game, what is wrong, and where in the rules it happened."""
    error = breach.error
    what = str(error) if isinstance(error, AssertionError) else repr(error)
    yield f"at the table {breach.table}, seed {breach.seed}: {what}"
    yield from _frames(error, module)


def _frames(error: BaseException, module: str) -> list[str]:
    """The lines of the game and of the promises that an error passed through, the cause first."""
    folders = {Path(path).parent for path in _source_files(module)} | {PROMISES_FOLDER}
    lines = _frames(error.__cause__, module) if error.__cause__ is not None else []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename).resolve()
        if path.parent in folders:
            lines.append(f"  {path.name}:{frame.lineno} in {frame.name}: {frame.line}")
    return lines


def _source_files(module: str) -> list[Path]:
    """The files of a module and of those of its package that it imports."""
    return [path.resolve() for path in plugins.plugin_paths(module).values()]
