"""The variants of Duel of Law: none are printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """No options: this table plays as printed."""
