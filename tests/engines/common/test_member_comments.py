"""Comments on the members of dataclasses are the descriptions of their JSON Schema."""

from __future__ import annotations

from dataclasses import dataclass

from games.engines.common import json_codec
from games.engines.common.member_comments import member_comments


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


def test_they_are_descriptions_in_the_schema() -> None:
    members = json_codec.schema(Commented)["properties"]
    assert members["first"]["description"] == "the first one"
    assert members["fourth"]["description"] == "A part."
    assert "description" not in members["fifth"]
