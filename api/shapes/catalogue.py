"""Shapes of the catalogue of rulesets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Seats:
    """The numbers of players that a game is for."""

    fewest: int
    most: int


@dataclass(frozen=True)
class RulesLinks:
    """Links of a ruleset: `text` is the rules as implemented here, in Markdown; `picture`, a
    freshly dealt table, as SVG; `ratings`, the leaderboard; `options`, `action`, `news` and
    `view`, the JSON Schemas of the variants, the actions, the news and the views."""

    self: str
    text: str
    picture: str
    ratings: str
    options: str
    action: str
    news: str
    view: str


OptionKind = Literal["choice", "number", "switch", "text", "other"]


@dataclass(frozen=True)
class OptionChoice:
    """A choice of an option: the value to send, and its title."""

    value: Any
    title: str


@dataclass(frozen=True)
class RulesOption:
    """An option of a ruleset, as a field of a form: one of `choices`, a whole number from `minimum`
    to `maximum`, a switch (true or false), or a text. One of another kind is described by the
    schema of options alone."""

    name: str
    title: str
    description: str
    kind: OptionKind
    choices: tuple[OptionChoice, ...]
    minimum: int | None
    maximum: int | None
    may_be_null: bool
    default: Any


@dataclass(frozen=True)
class Rules:
    """A ruleset. `slug` names it in every URL and action type; `version` is incremented when an old
    log could replay differently. A game goes on under the version it began with; `versions` lists
    those that are installed, and a new game may begin under any of them. `package` is
    the distribution that brings it; `proven` says whether its rules are known to keep the promises
    of this service: that hidden cards stay hidden, and that a log replays to the same game."""

    slug: str
    title: str
    summary: str
    version: int
    versions: tuple[int, ...]
    seats: Seats
    options: tuple[RulesOption, ...]
    designers: tuple[str, ...]
    package: str
    proven: bool
    links: RulesLinks


@dataclass(frozen=True)
class RulesList:
    """All rulesets."""

    items: tuple[Rules, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class JsonSchema:
    """A JSON Schema (2020-12)."""
