"""A ruleset that is removed while games are played by it, as when its package is uninstalled."""

from __future__ import annotations

from typing import Any, Final

import pytest

from games import position_cache
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import Ruleset
from tests.games.sitting import SLUG

MISSING: Final = Ruleset(SLUG, registry.ENGINES[SLUG].about.version)
SENTENCE: Final = f"{MISSING} are not installed"


def remove_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the ruleset of the tests' games from the registry, until the test is over."""
    _remove_key(monkeypatch, registry.RULESETS, MISSING)
    _remove_key(monkeypatch, registry.ENGINES, MISSING.slug)
    position_cache.cache.clear()


def _remove_key(monkeypatch: pytest.MonkeyPatch, items: dict[Any, Any], missing: Any) -> None:
    """Remove a key so that undoing it restores the order as well."""
    remaining = {key: value for key, value in items.items() if key != missing}
    for key in reversed(list(items)):
        monkeypatch.delitem(items, key)
    for key, value in remaining.items():
        monkeypatch.setitem(items, key, value)
