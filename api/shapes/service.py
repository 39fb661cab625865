"""Shapes of replies about the service itself: its entry point, and whether it is alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class EntryPointLinks:
    """Links to start from."""

    rules: str
    openapi: str
    docs: str
    health: str


@dataclass(frozen=True)
class EntryPoint:
    """The entry point. `api_level` is incremented with every change of this API."""

    name: str
    api_level: int
    links: EntryPointLinks


@dataclass(frozen=True)
class ApiDocument:
    """An OpenAPI document (3.1)."""


@dataclass(frozen=True)
class Health:
    """A process that is alive: how it runs the `engines`, and the versions of all rulesets."""

    status: Literal["ok"]
    engines: Literal["compiled", "interpreted"]
    rules: Any  # versions by slug
