"""The planted defects fit the code: each text is there once, and its replacement is no nonsense."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.defects import AREAS, ROOT, Defect, planted_defects

DEFECTS = planted_defects()


def test_there_are_fifty_of_all_areas() -> None:
    assert len(DEFECTS) == 50
    assert {defect.area for defect in DEFECTS} == {*AREAS}
    assert Counter(defect.area for defect in DEFECTS)["rules"] >= 12


def test_names_are_unique() -> None:
    assert len({defect.name for defect in DEFECTS}) == len(DEFECTS)
    assert not [defect.name for defect in DEFECTS if defect.name != defect.name.lower()]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_fits_its_file(defect: Defect) -> None:
    """If the code has changed, the entry has to move along."""
    source = (ROOT / defect.file).read_text("utf-8")
    changed = defect.applied_to(source)
    assert changed != source
    assert not defect.file.startswith("tests/")
    assert defect.harm.endswith(".")
    if defect.file.endswith(".py"):
        ast.parse(changed)
