"""Shapes of replies about the service itself: its entry point, and whether it is alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from api.shapes.forms import Link
from tabularium_log.forms import Positive


@dataclass(frozen=True)
class EntryPointLinks:
    """Links to start from."""

    rules: Link  #: The rulesets.
    openapi: Link  #: This document.
    docs: Link  #: The page of this documentation.
    health: Link  #: Whether the server is alive.


@dataclass(frozen=True)
class EntryPoint:
    """The entry point. `api_level` is incremented with every change of this API."""

    name: str  #: The name of the service.
    api_level: Positive  #: The level of this API: it rises with every change.
    links: EntryPointLinks  #: Its links.


@dataclass(frozen=True)
class ApiDocument:
    """An OpenAPI document (3.1)."""


@dataclass(frozen=True)
class Health:
    """A process that is alive: how it runs the `engines`, and the versions of all rulesets."""

    status: Literal["ok"]  #: Always `ok`: another server would not answer.
    engines: Literal["compiled", "interpreted"]  #: How the rules run: compiled or interpreted.
    rules: Any  #: By slug, the newest version of the rules.
