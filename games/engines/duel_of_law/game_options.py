"""The variants of Duel of Law: none are printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How this table plays: as printed."""
