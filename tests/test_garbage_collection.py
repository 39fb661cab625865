"""Garbage collection in the processes of the tests: none while tests are collected, few later."""

from __future__ import annotations

import gc
from typing import Final

from tests.conftest import ALLOCATIONS_PER_COLLECTION

WAS_ENABLED: Final = gc.isenabled()  # while this module was collected


def test_none_while_tests_are_collected() -> None:
    assert not WAS_ENABLED
    assert gc.isenabled()


def test_the_collected_tests_are_left_out_of_it() -> None:
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == ALLOCATIONS_PER_COLLECTION
