"""What is remembered of those who work for the games? Who is alive, which bots had trouble, and
what several workers think about together."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models

from games import ids
from games.projection.projection import Projection

MAX_ID_LENGTH: Final = 48  # "analysis" is a long word


def analysis_id() -> str:
    """A name for a new analysis."""
    return ids.new_id("analysis")


class Trouble(models.Model):
    """A decision that a bot did not make at the first attempt."""

    choice = models.CharField(primary_key=True, max_length=40)
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        verbose_name_plural: ClassVar[str] = "troubles"

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}, attempt {self.attempts}"


class Thought(models.Model):
    """How a bot came to one of its actions: enough to think it again."""

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()  # the entry of its action
    known = models.PositiveIntegerField()  # the last entry it knew of
    seat = models.PositiveSmallIntegerField()
    bot = models.CharField(max_length=20)
    digest = models.CharField(max_length=64)  # of the code that thought
    seed = models.BigIntegerField()
    simulations = models.PositiveIntegerField()
    parts = models.TextField(blank=True, default="")  # simulations of each, where several thought

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("game", "seq"), name="thought_entry")
        ]

    def __str__(self) -> str:
        return f"{self.bot} at entry {self.seq} of {self.game_id}"

    def keep(self, first: int, table: Projection) -> None:
        """Keep it with its entry."""
        self.seq = first
        self.save(force_insert=True)


class Analysis(models.Model):
    """A decision, or every one of a game, that workers think about in parts: because somebody wants
    to know, or because a bot has to act."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.CharField(primary_key=True, max_length=MAX_ID_LENGTH, default=analysis_id)
    # the digest of what was asked; none, if asked again it is to be thought about again
    question = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  # as is meant
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+")
    account = models.ForeignKey("games.Account", models.SET_NULL, null=True, related_name="+")
    seq = models.PositiveIntegerField(null=True)  # after this entry; none: the whole game
    seat = models.PositiveSmallIntegerField(null=True)
    simulations = models.PositiveIntegerField()  # for each decision; 0: what time allows
    digest = models.CharField(max_length=64)  # of the code that thinks
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    created = models.DateTimeField()
    deadline = models.DateTimeField()  # then, what has been found must do
    due = models.DateTimeField()  # when parts that nobody began are sent once more
    ended = models.DateTimeField(null=True)
    result = models.TextField(blank=True, default="")  # JSON
    # of a bot that has to act
    bot = models.CharField(max_length=20, blank=True, default="")
    choice = models.CharField(max_length=40, blank=True, default="")
    seconds = models.FloatField(default=0)  # that each part may think
    seed = models.BigIntegerField(null=True)  # none: it follows from the view

    class Meta:
        verbose_name_plural: ClassVar[str] = "analyses"
        indexes: ClassVar = [
            models.Index(
                fields=["deadline"], condition=models.Q(state="waiting"), name="unfinished"
            ),
        ]

    def __str__(self) -> str:
        return self.id


class Part(models.Model):
    """One worker's share of an analysis: a search of one decision, with chance of its own."""

    analysis = models.ForeignKey(Analysis, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    spread = models.PositiveSmallIntegerField()  # which of its decision's parts it is
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    simulations = models.PositiveIntegerField()  # that are wanted
    begun = models.DateTimeField(null=True)  # when a worker last took it
    done = models.PositiveIntegerField(null=True)  # simulations
    found = models.TextField(blank=True, default="")  # JSON

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("analysis", "number"), name="one_part_of_a_number")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.analysis_id}"


class Pulse(models.Model):
    """The last sign of life of a process: a canary that a worker took, a round of a sweeper."""

    name = models.CharField(primary_key=True, max_length=255)  # as in worker@host
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    beats = models.PositiveBigIntegerField(default=0)  # grows with every sign, whatever clocks do

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
