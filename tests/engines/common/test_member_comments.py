"""Comments on the members of dataclasses are the descriptions of their JSON Schema."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import pytest

from tabularium_engines.common import json_codec
from tabularium_engines.common.member_comments import member_comments


@dataclass(frozen=True)
class Inner:
    """A part."""

    size: int = 0


@dataclass(frozen=True)
class Commented:
    """A whole."""

    first: int  #: the first one
    #: one that needs
    #: two lines
    second: tuple[int, ...] = ()  #: and a third
    third: str = ""  # not for clients
    fourth: Inner = Inner()  #: a part describes itself
    fifth: bool = False


@dataclass(frozen=True)
class Inheriting(Commented):
    """A whole with one more."""

    third: str = ""  #: said now


def test_comments_stand_after_a_member_or_above_it() -> None:
    assert member_comments(Commented) == {
        "first": "the first one",
        "second": "one that needs two lines and a third",
        "fourth": "a part describes itself",
    }


def test_comments_are_inherited() -> None:
    assert member_comments(Inheriting) == {**member_comments(Commented), "third": "said now"}


def test_a_class_without_its_source_has_none() -> None:
    made = type("Made", (), {"__annotations__": {"member": int}})
    assert member_comments(made) == {}


INDENTED: Final = """
class Outer:
    member: int = 0  #: outside

    class Inner:
        member: int = 0  #: inside

if True:
    class Guarded:
        member: int = 0  #: guarded

def make():
    class Local:
        member: int = 0  #: local
    return Local
"""


def test_each_class_has_its_own_and_the_file_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "indented.py"
    path.write_text(INDENTED)
    module = loaded(path, monkeypatch)
    parsed, parse = [], ast.parse

    def note_and_parse(source: str) -> ast.Module:
        parsed.append(source)
        return parse(source)

    monkeypatch.setattr(ast, "parse", note_and_parse)
    classes = (module.Outer, module.Outer.Inner, module.Guarded, module.make())
    said = [member_comments(kind)["member"] for kind in classes]
    assert said == ["outside", "inside", "guarded", "local"]
    assert parsed == [INDENTED]


def loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of a file."""
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def test_they_are_descriptions_in_the_schema() -> None:
    members = json_codec.schema(Commented)["properties"]
    assert members["first"]["description"] == "the first one"
    assert members["fourth"]["description"] == "A part."
    assert "description" not in members["fifth"]
