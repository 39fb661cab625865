"""The memory that a process may gain follows the machine, the container and what it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import memory_budget
from games.memory_budget import CALLS_PER_LOOK, MemoryBudget


@pytest.fixture
def resident(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The memory of this process, as it is from now on: the last number."""
    numbers = [1000]
    monkeypatch.setattr(memory_budget, "resident_bytes", lambda: numbers[-1])
    return numbers


def later(budget: MemoryBudget) -> bool:
    """Whether the process may grow when it is looked at next."""
    return [budget.may_grow() for _ in range(CALLS_PER_LOOK)][-1]


def test_it_begins_with_what_the_process_has(resident: list[int]) -> None:
    budget = MemoryBudget(100)
    assert budget.may_grow()
    resident.append(1099)
    assert later(budget)
    resident.append(1100)
    assert not later(budget)
    resident.append(1050)
    assert later(budget)
    budget.reset()
    resident.append(1149)
    assert later(budget)


def test_the_default_is_a_share_of_the_machine(
    resident: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "available_bytes", lambda: 16 * 4 * 100)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    budget = MemoryBudget()
    assert later(budget)
    resident.append(1099)
    assert later(budget)
    resident.append(1100)
    assert not later(budget)


@pytest.mark.parametrize(("text", "limits"), [("4096\n", [4096]), ("max\n", []), (None, [])])
def test_a_container_has_less(
    text: str | None, limits: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None:
        (tmp_path / "memory.max").write_text(text)
    monkeypatch.setattr(memory_budget, "CONTAINER_LIMIT_FILES", (tmp_path / "memory.max",))
    assert memory_budget.container_limits() == limits
    assert (memory_budget.available_bytes() == 4096) is bool(limits)


def test_a_process_knows_its_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    by_kernel = memory_budget.resident_bytes()
    monkeypatch.setattr(memory_budget, "RESIDENT_FILE", tmp_path / "missing")
    assert 1 << 20 < by_kernel <= 2 * memory_budget.resident_bytes()
