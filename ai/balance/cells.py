"""The cells of the laboratory: a ruleset in a variant, at a number of seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from tabularium_engines.base import AnyEngine
from tabularium_engines.installed.registry import Ruleset, find_engine, ruleset_of
from tabularium_engines.promises.variants import single_variants, variant_name

DEFAULT_HALF_WIDTH = 0.05  # of the intervals under the default options …
VARIANT_HALF_WIDTH = 0.10  # … and under others


@dataclass(frozen=True)
class Cell:
    """A ruleset, its options and the number of seats."""

    ruleset: Ruleset
    options: Any
    seats: int

    @property
    def engine(self) -> AnyEngine:
        """The engine of the ruleset."""
        return find_engine(*self.ruleset)

    @property
    def variant(self) -> str:
        """The options that differ from the default, or "default"."""
        return variant_name(self.options)

    @property
    def is_default(self) -> bool:
        """Whether all options are the default."""
        return bool(self.options == self.engine.about.options())

    @property
    def key(self) -> str:
        """The cell's name in files."""
        return f"{self.ruleset.slug} {self.ruleset.version} {self.seats} {self.variant}"

    @property
    def half_width(self) -> float:
        """How wide its intervals may be."""
        return DEFAULT_HALF_WIDTH if self.is_default else VARIANT_HALF_WIDTH

    def document(self) -> dict[str, Any]:
        """The cell as JSON."""
        slug, version = self.ruleset
        table = {"game": slug, "version": version, "seats": self.seats}
        return table | {"variant": self.variant, "options": asdict(self.options)}


def cells_of(engine: AnyEngine) -> Iterator[Cell]:
    """All cells of a ruleset: the default options and each single change of them, at every number
    of seats that it fits."""
    fewest, most = engine.about.seats
    for options in single_variants(engine.about.options):
        for seats in range(fewest, most + 1):
            if engine.misfit(options, seats) is None:
                yield Cell(ruleset_of(engine), options, seats)
