"""The options of Duel of Law, as a dataclass without fields: no variants are printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """No options: this table plays as printed."""
