"""The foretold consequences of one action, as an offer of the API has them."""

from __future__ import annotations

from typing import Any

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import consequences_from_view


def foretold(engine: AnyEngine, state: State, seat: int, action: Any) -> Consequences | None:
    """The certain consequences of an action, from the view of its seat."""
    code = engine.encode(state, seat, action)
    (told,) = consequences_from_view(engine, engine.view(state, seat), seat, [code])
    return told


def certain(engine: AnyEngine, state: State, seat: int, action: Any) -> Consequences:
    """The same of an action of which something is certain."""
    told = foretold(engine, state, seat, action)
    assert told is not None, f"nothing is certain of {action}"
    return told


def kinds(told: Consequences) -> list[str]:
    """The kinds of the foretold news, in order."""
    return [item["kind"] for item in told.news]
