"""The agenda of a state: a stack of its pending tasks as plain numbers, so that a state with an
open choice in the middle of an effect can be cloned, compared and searched like any other."""

from __future__ import annotations

from librt.vecs import append, pop, vec
from mypy_extensions import i64


class Agenda:
    """A stack of tasks, the next on top. A task has a kind, a seat and an optional subject."""

    def __init__(self) -> None:
        self.tasks: vec[i64] = vec[i64]()

    def push(self, kind: i64, seat: i64, subject: i64 = 0) -> None:
        """Push a task, which becomes the next."""
        self.tasks = append(self.tasks, kind | (seat << 5) | (subject << 8))

    def pop(self) -> i64:
        """Remove and return the next task."""
        self.tasks, task = pop(self.tasks)
        return task

    def top(self) -> i64:
        """The next task; there must be one."""
        return self.tasks[len(self.tasks) - 1]

    def clear(self) -> None:
        """Cancel all tasks."""
        self.tasks = vec[i64]()

    def clone(self) -> Agenda:
        """An independent copy."""
        copy = Agenda()
        copy.tasks = self.tasks[:]
        return copy

    def contents(self) -> list[i64]:
        """All tasks as plain numbers."""
        return list(self.tasks)


def kind_of(task: i64) -> i64:
    """The kind of a task."""
    return task & 0x1F


def seat_of(task: i64) -> i64:
    """The seat of a task."""
    return (task >> 5) & 0x7


def subject_of(task: i64) -> i64:
    """The subject of a task: a card, a seat or a set, depending on its kind."""
    return task >> 8
