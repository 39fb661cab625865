"""The consequences of an action, which its offer tells."""

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
