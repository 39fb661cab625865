"""`manage.py new_game NAME`: write a small playable game into a new folder, as a package of its own
with its tests, to be changed into another game.

The game is one file, or with `--folder` a package with a module for each part. The templates lie in
`ai/game_template`; `my_game` stands for the name there.
"""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.compiled_engines import PROJECT_ROOT
from games.registry import ENGINES

TEMPLATES: Final = PROJECT_ROOT / "ai" / "game_template"
TEMPLATE_SUFFIX: Final = ".txt"
NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST_NAME: Final = 32


class Command(BaseCommand):
    help = "Write a small playable game into a new folder, to be changed into another game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", help="the slug of the game, such as my_game")
        add("--into", type=Path, default=Path(), metavar="FOLDER", help="where the folder is made")
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

    def handle(self, *_: Any, name: str, into: Path, layout: str, **__: Any) -> None:
        folder = into / name
        if sentence := refusal(name) or folder_refusal(into, folder):
            raise CommandError(sentence)
        for path, text in game_files(name, layout):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        self.stdout.write(
            f"{title_of(name)} is in {folder}. Change it, then run: manage.py check_game {folder}"
            " --record"
        )


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


def game_files(name: str, layout: str) -> Iterator[tuple[Path, str]]:
    """The files of a new game, by their paths in its folder."""
    for root in (TEMPLATES / "common", TEMPLATES / layout):
        for template in sorted(root.rglob(f"*{TEMPLATE_SUFFIX}")):
            path = template.relative_to(root).as_posix().removesuffix(TEMPLATE_SUFFIX)
            text = template.read_text(encoding="utf-8")
            yield Path(_named(path, name)), _named(text, name)


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
