"""What the table still has to do: a stack of tasks as plain numbers, so that a state with a choice
open in the middle of an effect can be cloned, compared and searched like any other."""

from __future__ import annotations

from librt.vecs import append, pop, vec
from mypy_extensions import i64


class Agenda:
    """The task on top is next. A task has a kind, a seat and, if need be, a subject."""

    def __init__(self) -> None:
        self.tasks: vec[i64] = vec[i64]()

    def push(self, kind: i64, seat: i64, subject: i64 = 0) -> None:
        """Put a task before all others."""
        self.tasks = append(self.tasks, kind | (seat << 5) | (subject << 8))

    def pop(self) -> i64:
        """Take the next task off."""
        self.tasks, task = pop(self.tasks)
        return task

    def top(self) -> i64:
        """The next task; there must be one."""
        return self.tasks[len(self.tasks) - 1]

    def clear(self) -> None:
        """Nothing that was planned takes place."""
        self.tasks = vec[i64]()

    def clone(self) -> Agenda:
        """An equal agenda of its own."""
        copy = Agenda()
        copy.tasks = self.tasks[:]
        return copy

    def contents(self) -> list[i64]:
        """All tasks as plain numbers."""
        return list(self.tasks)


def kind_of(task: i64) -> i64:
    """What is to be done."""
    return task & 0x1F


def seat_of(task: i64) -> i64:
    """Who does it."""
    return (task >> 5) & 0x7


def subject_of(task: i64) -> i64:
    """With what: a card, a seat, a set; the kind of task knows."""
    return task >> 8
