"""The rules of card and board games: pure Python without clocks, I/O or global randomness, compiled
where there is a build; with a search, action numbers, tensors and adapters.

Importing this chooses the build. `GAMES` lists the games of the project; registry, adapters and
heuristics follow from it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tabularium_engines.builds import compiled_engines

if TYPE_CHECKING:
    from tabularium_engines.adapters.action_space import (
        ActionSpace,
        DenseActionSpace,
        FactoredActionSpace,
        action_space,
    )
    from tabularium_engines.adapters.mcts import run_search
    from tabularium_engines.adapters.observation import Observer
    from tabularium_engines.installed.registry import (
        ENGINES,
        RULESETS,
        Ruleset,
        RulesetNotInstalled,
        find_engine,
    )

__all__ = [
    "ENGINES",
    "GAMES",
    "RULESETS",
    "ActionSpace",
    "DenseActionSpace",
    "FactoredActionSpace",
    "Observer",
    "Ruleset",
    "RulesetNotInstalled",
    "action_space",
    "find_engine",
    "run_search",
]

# the slugs, which are the names of the games' folders, in the order of the catalogue
GAMES: Final = (
    "law_of_the_dice",
    "duel_edged_sword",
    "duality",
    "law",
    "duel_of_law",
)
# the other names, by the module that has them: a service imports the rules without these
_MODULES: Final = {
    **dict.fromkeys(("ENGINES", "RULESETS", "Ruleset"), "installed.registry"),
    **dict.fromkeys(("RulesetNotInstalled", "find_engine"), "installed.registry"),
    **dict.fromkeys(("ActionSpace", "DenseActionSpace"), "adapters.action_space"),
    **dict.fromkeys(("FactoredActionSpace", "action_space"), "adapters.action_space"),
    "Observer": "adapters.observation",
    "run_search": "adapters.mcts",
}

compiled_engines.install_finder()


def __getattr__(name: str) -> Any:
    """One of these names, imported with its first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
