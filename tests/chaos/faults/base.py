"""The base of all kinds of faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import sleep

from tests.chaos.instance import Instance


class CannotInject(Exception):
    """A kind of fault that this machine does not allow."""


class Fault(ABC):
    """A failure of a served instance for a limited time."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        self.instance = instance
        self.seconds = seconds

    @abstractmethod
    def inject(self) -> None:
        """Start the fault."""

    @abstractmethod
    def is_in_effect(self) -> bool:
        """Whether the fault is observable now; never true without `inject`."""

    def is_over(self) -> bool:
        """Whether it has ended by itself."""
        return False

    def sustain(self) -> None:
        """Wait for the duration of the fault."""
        sleep(self.seconds)

    @abstractmethod
    def heal(self) -> None:
        """End the fault, without any other repair."""
