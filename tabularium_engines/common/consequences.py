"""Offers of actions, and the consequences that they tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Consequences:
    """The certain consequences of an action, in every world with the view of the seat and with all
    draws. A member of which nothing is certain is null."""

    text: str  #: The part of them with which the label ends; empty if it ends with none.
    news: tuple[Any, ...]  #: The news to come, each item with the facts that are certain.
    to_act: tuple[int, ...] | None  #: The seats that must act then; none if the game is over.
    winners: tuple[int, ...] | None  #: The seats that win, if the game is then over.
    #: By seat, the change of its score (points, Laws, branches); null where there are no scores.
    score_changes: tuple[int | None, ...] | None


@dataclass  # not frozen, which would take three times as long: there are many
class Offer:
    """A legal action, ready to be sent back, its description in words, and its certain
    consequences: `after` is null if you only go on, or nothing is certain."""

    action: Any  #: An action, as the schema of the ruleset's actions describes it.
    label: str  #: The action in words, in English.
    #: The certain consequences; null if you only go on, or nothing is certain.
    after: Consequences | None
