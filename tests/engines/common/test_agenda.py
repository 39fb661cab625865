"""The agenda: a stack of tasks that keeps their fields."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabularium_engines.common.agenda import Agenda, kind_of, seat_of, subject_of

TASKS = st.tuples(st.integers(0, 31), st.integers(0, 7), st.integers(0, 2**52 - 1))


@given(st.lists(TASKS))
def test_the_last_task_is_popped_first_with_all_its_fields(
    tasks: list[tuple[int, int, int]],
) -> None:
    agenda = Agenda()
    for task in tasks:
        agenda.push(*task)
    for task in reversed(tasks):
        top = agenda.top()
        assert agenda.pop() == top
        assert (kind_of(top), seat_of(top), subject_of(top)) == task
    assert agenda.contents() == []


@given(st.lists(TASKS, min_size=1), TASKS)
def test_a_clone_is_independent(
    tasks: list[tuple[int, int, int]], other: tuple[int, int, int]
) -> None:
    agenda = Agenda()
    for task in tasks:
        agenda.push(*task)
    first_contents = agenda.contents()
    copy = agenda.clone()
    assert copy.contents() == first_contents
    copy.push(*other)
    agenda.pop()
    assert copy.contents()[:-1] == first_contents
    assert agenda.contents() == first_contents[:-1]
    agenda.clear()
    assert agenda.contents() == []
    assert len(copy.contents()) == len(tasks) + 1


def test_a_task_without_a_subject_has_subject_0() -> None:
    agenda = Agenda()
    agenda.push(3, 2)
    assert subject_of(agenda.top()) == 0
