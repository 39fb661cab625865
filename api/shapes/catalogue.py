"""Shapes of the catalogue of rulesets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from api.shapes.forms import Link
from tabularium_log.forms import Positive, Slug


@dataclass(frozen=True)
class Seats:
    """The numbers of players that a game is for."""

    fewest: Positive  #: The fewest players.
    most: Positive  #: The most players.


@dataclass(frozen=True)
class RulesLinks:
    """Links of a ruleset: `text` is the rules as implemented here, in Markdown; `picture`, a
    freshly dealt table, as SVG; `ratings`, the leaderboard; `options`, `action`, `news` and
    `view`, the JSON Schemas of the variants, the actions, the news and the views."""

    self: Link  #: The resource itself.
    text: Link  #: The rules, in Markdown.
    picture: Link  #: A picture, as SVG.
    ratings: Link  #: The leaderboard.
    options: Link  #: The schema of options.
    action: Link  #: The schema of actions.
    news: Link  #: The schema of news.
    view: Link  #: The schema of views.


OptionKind = Literal["choice", "number", "switch", "text", "other"]


@dataclass(frozen=True)
class OptionChoice:
    """A choice of an option: the value to send, and its title."""

    value: Any  #: The value of the option.
    title: str  #: The title, in English.


@dataclass(frozen=True)
class RulesOption:
    """An option of a ruleset, as a field of a form: one of `choices`, a whole number from `minimum`
    to `maximum`, a switch (true or false), or a text. One of another kind is described by the
    schema of options alone."""

    name: str  #: The name of the member of `options`.
    title: str  #: The title, in English.
    description: str  #: A description, in English.
    kind: OptionKind  #: How its value is chosen.
    choices: tuple[OptionChoice, ...]  #: The choices, in order; empty if the kind is another.
    minimum: int | None  #: The least number; null if there is none.
    maximum: int | None  #: The greatest number; null if there is none.
    may_be_null: bool  #: Whether null is a value, too.
    default: Any  #: The value of a table that does not name it.


@dataclass(frozen=True)
class Rules:
    """A ruleset. `slug` names it in every URL and action type; `version` is incremented when an old
    log could replay differently. A game goes on under the version it began with; `versions` lists
    those that are installed, and a new game may begin under any of them. `package` is
    the distribution that brings it; `proven` says whether its rules are known to keep the promises
    of this service: that hidden cards stay hidden, and that a log replays to the same game."""

    slug: Slug  #: The name of the ruleset in addresses and action types.
    title: str  #: The title, in English.
    summary: str  #: The game in a sentence.
    version: Positive  #: The version of the rules.
    versions: tuple[int, ...]  #: The installed versions of the rules, ascending.
    seats: Seats  #: How many can play.
    options: tuple[RulesOption, ...]  #: The options of a table, as the fields of a form.
    designers: tuple[str, ...]  #: The people who designed the game.
    package: str  #: The distribution that brings the rules.
    proven: bool  #: Whether the rules are known to keep the promises of this service.
    links: RulesLinks  #: Its links.


@dataclass(frozen=True)
class RulesList:
    """All rulesets."""

    items: tuple[Rules, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


@dataclass(frozen=True)
class JsonSchema:
    """A JSON Schema (2020-12)."""
