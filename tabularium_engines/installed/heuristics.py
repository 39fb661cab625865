"""The heuristics of the installed rulesets, and the parameters of the searches that they guide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Final

from tabularium_engines.builds.compiled_engines import PACKAGE
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.heuristics.outcome import OutcomeHeuristic
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import Ruleset
from tabularium_engines.search.playout import Evaluator, HeuristicEvaluator, RandomRolloutEvaluator


def _find_module(ruleset: Ruleset) -> ModuleType | None:
    """The module with the heuristics of a ruleset; None if its game has none. A frozen version has
    states of its own, and so heuristics of its own: those of `tabularium_engines/duality/v1` are in
    `duality_v1.py`."""
    package = registry.engine_module(*ruleset).rpartition(".")[0]
    if not package.startswith(f"{PACKAGE}."):
        return None  # the game of another package
    name = package.removeprefix(f"{PACKAGE}.").replace(".", "_")
    return import_module(f"{PACKAGE}.heuristics.{name}")


MODULES: Final[Mapping[Ruleset, ModuleType]] = {
    ruleset: module
    for ruleset in registry.RULESETS
    if (module := _find_module(ruleset)) is not None
}
HEURISTICS: Final[dict[Ruleset, Heuristic]] = {
    ruleset: MODULES[ruleset].HEURISTIC if ruleset in MODULES else OutcomeHeuristic()
    for ruleset in registry.RULESETS
}


@dataclass(frozen=True)
class Tuning:
    """Search parameters of a game, chosen by arena matches. The module of its heuristic has them,
    as `EXPLORATION` and `TIME_FACTOR`."""

    exploration: float  # below the theoretical value: heuristics rarely return 0 or 1
    time_factor: float = 1.0  # of the usual time per decision


TUNINGS: Final[dict[str, Tuning]] = {
    slug: Tuning(module.EXPLORATION, getattr(module, "TIME_FACTOR", 1.0))
    for slug, engine in registry.ENGINES.items()
    if (module := MODULES.get(registry.ruleset_of(engine))) is not None
}
UNTUNED: Final = Tuning(exploration=1.0)  # that of theory


def tuning_of(slug: str) -> Tuning:
    """The search parameters of a game; of one that was never tuned, those of theory."""
    return TUNINGS.get(slug, UNTUNED)


def evaluator_of(ruleset: Ruleset) -> Evaluator:
    """The evaluator of a search: a heuristic or, of a game that has none, random playouts."""
    if ruleset not in MODULES:
        return RandomRolloutEvaluator()
    return HeuristicEvaluator(HEURISTICS[ruleset])
