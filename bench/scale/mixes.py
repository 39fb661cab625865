"""The crowds that the model is fitted to, and those that it has to predict."""

from __future__ import annotations

from typing import Final, NamedTuple


class Trial(NamedTuple):
    """A crowd on one host without faults."""

    name: str
    games: int
    options: tuple[str, ...]  # of `python -m tests.crowd`

    @property
    def arguments(self) -> list[str]:
        """The arguments of `python -m tests.crowd`."""
        games = f"--games={self.games}", f"--at-once={self.games}"
        return [*games, "--hosts=1", "--arrival=5", "--max-ratio=0", "--faults", *self.options]


FITTED: Final = (
    Trial("random bots", 30, ("--opponents=random", "--pause=1", "--patience=40", "--seed=11")),
    Trial("greedy bots", 30, ("--opponents=greedy", "--pause=1", "--patience=40", "--seed=12")),
    Trial("searching bots", 15, ("--opponents=search", "--pause=1", "--patience=30", "--seed=13")),
    Trial("people", 25, ("--opponents=person", "--pause=1", "--patience=30", "--seed=14")),
    Trial(
        "only streams",
        25,
        ("--opponents", "random", "person", "--followers=stream", "--pause=1", "--patience=30"),
    ),
    Trial(
        "no followers",
        25,
        ("--opponents", "greedy", "person", "--followers=none", "--pause=1", "--patience=30"),
    ),
    Trial("slow people", 10, ("--pause=6", "--patience=15", "--seed=15")),
    Trial("short games", 60, ("--pause=1", "--patience=4", "--seed=16")),
)
TYPICAL: Final = "all kinds"
HELD_OUT: Final = (
    Trial(TYPICAL, 30, ("--pause=1.5", "--patience=30", "--seed=21")),
    Trial("all kinds, others", 40, ("--pause=2", "--patience=25", "--seed=22")),
    Trial(
        "people and searching bots",
        20,
        ("--opponents", "person", "search", "--pause=1.5", "--patience=30", "--seed=23"),
    ),
)
