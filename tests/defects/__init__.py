"""Planted defects: fifty mistakes, and which of them the tests find."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PLANTED: Final = Path(__file__).with_name("planted.toml")
AREAS: Final = (
    *("rules", "log", "fairness", "record", "api", "streams", "webhooks", "bots", "keys", "limits"),
    *("broker", "pages", "clients", "docs", "operations"),
)


@dataclass(frozen=True)
class Defect:
    """A mistake in one file: a text of it that another one replaces."""

    name: str
    area: str
    file: str
    old: str  # occurs once in the file
    new: str
    harm: str  # to users

    def applied_to(self, source: str) -> str:
        """The file with the defect."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.name}: its text has to occur once in {self.file}")
        return source.replace(self.old, self.new)


def planted_defects() -> list[Defect]:
    """All of them, in the order of the file."""
    document = tomllib.loads(PLANTED.read_text("utf-8"))
    return [Defect(**members) for members in document["defect"]]
