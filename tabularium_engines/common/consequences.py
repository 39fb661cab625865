"""The consequences of an action, which its offer tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Consequences:
    """The certain consequences of an action, in every world with the view of the seat and with all
    draws. A member of which nothing is certain is null."""

    text: str  # in words, as far as the label ends with it; "" if nothing is to be added
    news: tuple[Any, ...]  # items of the news to come, each with the facts that are certain
    to_act: tuple[int, ...] | None  # the seats that must act then; none if the game is over
    winners: tuple[int, ...] | None  # if the game is then over
    score_changes: tuple[int | None, ...] | None  # by seat: points, Laws, branches …
