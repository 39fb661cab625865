"""The engines as a library: five games with their search, action numbers and observation tensors,
without a server. The wheel installs this package, the engines and the search as
`tabularium_engines`."""

from library.action_space import (
    ActionSpace,
    DenseActionSpace,
    FactoredActionSpace,
    action_space,
)
from library.catalogue import ENGINES, Ruleset, RulesetNotInstalled, find_engine
from library.mcts import run_search
from library.observation import Observer

__all__ = [
    "ENGINES",
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
