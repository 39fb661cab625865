"""What every kind of fault has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import sleep

from tests.chaos.instance import Instance


class CannotInject(Exception):
    """This machine does not allow a kind of fault."""


class Fault(ABC):
    """Something that goes wrong with a served instance for a while."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        self.instance = instance
        self.seconds = seconds

    @abstractmethod
    def inject(self) -> None:
        """Let it go wrong."""

    @abstractmethod
    def bites(self) -> bool:
        """Is it seen to be wrong, at this moment? Never without `inject`."""

    def is_over(self) -> bool:
        """Whether it has ended by itself."""
        return False

    def rage(self) -> None:
        """Let it last."""
        sleep(self.seconds)

    @abstractmethod
    def heal(self) -> None:
        """Let it go right again, and help nothing else."""
