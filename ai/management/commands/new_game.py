"""`manage.py new_game NAME`: write a small playable game with its tests, to be changed into another
game.

The game is a package of its own in a new folder: one file, or with `--folder` a module for each
part. With `--in-tree` it is a game of this project, and is registered. The templates lie in
`ai/game_template`; `my_game` stands for the name there.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import ENGINES

TEMPLATES: Final = PROJECT_ROOT / "ai" / "game_template"
TEMPLATE_SUFFIX: Final = ".txt"
NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST_NAME: Final = 32
IN_TREE: Final = "in_tree"
OWN_IMPORT: Final = re.compile(r"^from (?=my_game\b)", re.MULTILINE)
RULES_LINE: Final = '        "rules/my_game.md",\n'
# the files that list the games of this project, and the line before which a new one goes
LISTS: Final = (
    ("tabularium_engines/__init__.py", re.compile(r"(?<=\n)(?=\)\n)"), '    "my_game",\n'),
    ("zensical.toml", re.compile(r'^(?= +"strength\.md",)', re.MULTILINE), RULES_LINE),
)


class Command(BaseCommand):
    help = "Write a small playable game, to be changed into another game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", help="the slug of the game, such as my_game")
        add("--into", type=Path, metavar="FOLDER", help="where the folder is made (default: here)")
        layout = parser.add_mutually_exclusive_group()
        layout.add_argument(
            "--one-file",
            action="store_const",
            dest="layout",
            const="one_file",
            default="one_file",
            help="the whole game in one module (default)",
        )
        layout.add_argument(
            "--folder",
            action="store_const",
            dest="layout",
            const="folder",
            help="a package with a module for each part of the game",
        )
        layout.add_argument(
            "--in-tree",
            action="store_const",
            dest="layout",
            const=IN_TREE,
            help="a game of this project, in the folders of a checkout",
        )

    def handle(self, *_: Any, name: str, into: Path | None, layout: str, **__: Any) -> None:
        if layout == IN_TREE:
            self._write_into_tree(name, into)
            return
        into = into or Path()
        folder = into / name
        if sentence := refusal(name) or folder_refusal(into, folder):
            raise CommandError(sentence)
        write_files(folder, game_files(name, layout))
        self.stdout.write(
            f"{title_of(name)} is in {folder}. Change it, then run: manage.py check_game {folder}"
            " --record"
        )

    def _write_into_tree(self, name: str, into: Path | None) -> None:
        if sentence := refusal(name) or tree_refusal(into, PROJECT_ROOT):
            raise CommandError(sentence)
        files = dict(tree_files(name))
        write_files(PROJECT_ROOT, files.items())
        format_sources([PROJECT_ROOT / path for path in files if path.suffix == ".py"])
        for path in sorted(files):
            self.stdout.write(f"wrote {path.as_posix()}")
        for listing in register(name, PROJECT_ROOT):
            self.stdout.write(f"registered in {listing}")


def refusal(name: str) -> str:
    """Why a game cannot have this name; empty if it can."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        return (
            f"{name!r} is no name for a game: use small letters, digits and single underscores,"
            f" with a letter first and at most {LONGEST_NAME} in all, such as my_game."
        )
    if name in ENGINES:
        return f"There is a game {name} already: choose another name."
    if keyword.iskeyword(name) or find_spec(name) is not None:
        return f"{name} is the name of another Python module: choose another name."
    return ""


def folder_refusal(into: Path, folder: Path) -> str:
    """Why the game cannot be written there; empty if it can."""
    if not into.is_dir():
        return f"There is no folder {into}."
    if folder.exists():
        return f"{folder} exists already: choose another name, or another folder with --into."
    return ""


def tree_refusal(into: Path | None, root: Path) -> str:
    """Why no game can be written into the tree; empty if one can."""
    if into is not None:
        return "A game of this project has its place: leave out --into."
    if missing := [path for path, *_ in LISTS if not (root / path).is_file()]:
        return f"There is no {missing[0]}: --in-tree needs a checkout of the project."
    return ""


def write_files(folder: Path, files: Iterable[tuple[Path, str]]) -> None:
    """Write files by their paths in a folder."""
    for path, text in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def tree_files(name: str) -> Iterator[tuple[Path, str]]:
    """The files of a new game of this project, by their paths in the tree: those of `in_tree`, and
    the modules of `folder` that it does not replace."""
    engines = Path("tabularium_engines")
    for path, text in template_files(TEMPLATES / "folder" / "my_game"):
        if path.suffix == ".py" and path.stem != "kept_promises":
            moved = OWN_IMPORT.sub("from tabularium_engines.", text)
            yield engines / name / path, _named(moved, name)
    for path, text in template_files(TEMPLATES / IN_TREE):
        yield Path(_named(path.as_posix(), name)), _named(text, name)


def register(name: str, root: Path) -> Iterator[str]:
    """Add a game to the lists of the project's games; the names of the files."""
    for path, place, line in LISTS:
        text = (root / path).read_text(encoding="utf-8")
        added = place.sub(_named(line, name), text, count=1)
        (root / path).write_text(added, encoding="utf-8")
        yield path


def format_sources(paths: list[Path]) -> None:
    """Sort the imports, which begin with another package than in the templates."""
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--quiet", "--select=I", "--fix", *paths], check=True)
    subprocess.run([*ruff, "format", "--quiet", *paths], check=True)


def game_files(name: str, layout: str) -> Iterator[tuple[Path, str]]:
    """The files of a new game, by their paths in its folder."""
    for root in (TEMPLATES / "common", TEMPLATES / layout):
        for path, text in template_files(root):
            yield Path(_named(path.as_posix(), name)), _named(text, name)


def template_files(root: Path) -> Iterator[tuple[Path, str]]:
    """The templates in a folder, by the paths of their files."""
    for template in sorted(root.rglob(f"*{TEMPLATE_SUFFIX}")):
        path = template.relative_to(root).as_posix().removesuffix(TEMPLATE_SUFFIX)
        yield Path(path), template.read_text(encoding="utf-8")


def _named(text: str, name: str) -> str:
    """A text of the template with the name of the game, in each of its spellings."""
    spellings = {
        "my_game": name,
        "my-game": name.replace("_", "-"),
        "My Game": title_of(name),
        "MyGame": title_of(name).replace(" ", ""),
    }
    return re.sub("|".join(spellings), lambda found: spellings[found.group()], text)


def title_of(name: str) -> str:
    """The name of a game in words."""
    return name.replace("_", " ").title()
