"""The engines as a library: five games with their search, action numbers and observation tensors,
without a server. The wheel installs this package, the engines and the search as
`tabularium_engines`."""

from library.catalogue import ENGINES, Ruleset, UnknownRuleset, find_engine
from library.mcts import run_search

__all__ = [
    "ENGINES",
    "Ruleset",
    "UnknownRuleset",
    "find_engine",
    "run_search",
]
