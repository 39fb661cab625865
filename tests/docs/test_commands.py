"""The commands in the documentation exist, and have the options with which they are written."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.core.management import get_commands, load_command_class

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND: Final = re.compile(r"manage\.py ([a-z_]+)((?: (?:\\\n)?[^\s`|;)]+)*)")
OPTION: Final = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def written_commands() -> Iterator[tuple[str, str]]:
    """Each command with one of its options, in the order of the pages, once."""
    found = [
        (name, option)
        for page in PAGES
        for name, words in COMMAND.findall(page.read_text("utf-8"))
        for option in OPTION.findall(words)
    ]
    yield from dict.fromkeys(found)


def options_of(parser: ArgumentParser) -> set[str]:
    """The long options of a parser, and of its subcommands."""
    options = set()
    for action in parser._actions:
        options |= {*action.option_strings}
        if isinstance(action, _SubParsersAction):
            options |= {each for sub in action.choices.values() for each in options_of(sub)}
    return options


@pytest.mark.parametrize(("name", "option"), list(written_commands()), ids=lambda each: each)
def test_a_command_has_the_option(name: str, option: str) -> None:
    app = get_commands()[name]
    assert isinstance(app, str)
    parser = load_command_class(app, name).create_parser("manage.py", name)
    assert option in options_of(parser)
