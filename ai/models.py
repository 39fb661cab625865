"""Database models of the bots: their failures, their decisions, and analyses with their parts."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models

from games import ids
from tabularium_log.projection.projection import Projection

MAX_ID_LENGTH: Final = 48  # fits the long prefix "analysis"


def analysis_id() -> str:
    """A new analysis id."""
    return ids.new_id("analysis")


class BotFailure(models.Model):
    """A decision that a bot did not make at the first attempt."""

    choice = models.CharField(primary_key=True, max_length=40)
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        db_table = "ai_trouble"

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}, attempt {self.attempts}"


class Thought(models.Model):
    """How a bot reached one of its actions, or that it waits: enough to repeat the decision."""

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField(null=True)  # the entry of its action; none: it waits
    known = models.PositiveIntegerField()  # the last entry it knew
    seat = models.PositiveSmallIntegerField()
    bot = models.CharField(max_length=20)
    digest = models.CharField(max_length=64)  # of the code that decided
    seed = models.BigIntegerField()
    simulations = models.PositiveIntegerField()
    # simulations of each part, if the decision was shared
    parts = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("game", "seq"), name="thought_entry"),
            models.UniqueConstraint(
                fields=("game", "known", "seat"),
                condition=models.Q(seq__isnull=True),
                name="thought_wait",
            ),
        ]

    def __str__(self) -> str:
        what = f"waits after entry {self.known}" if self.seq is None else f"at entry {self.seq}"
        return f"{self.bot} {what} of {self.game_id}"

    def keep(self, first: int, table: Projection) -> None:
        """Save it with its entry."""
        self.seq = first
        self.save(force_insert=True)

    def keep_wait(self) -> None:
        """Save a decision to wait, unless another worker has: that is the one that counts."""
        type(self).objects.bulk_create([self], ignore_conflicts=True)


class Analysis(models.Model):
    """An analysis of one decision or of a whole game, split into parts for the workers: requested
    by a client, or needed for a bot's decision; or the repetition of a bot's decision."""

    class State(models.TextChoices):
        """The state of an analysis."""

        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.CharField(primary_key=True, max_length=MAX_ID_LENGTH, default=analysis_id)
    # the digest of the question; none: asking again starts a new analysis
    question = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  # intended
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+")
    account = models.ForeignKey("games.Account", models.SET_NULL, null=True, related_name="+")
    # the position after this entry; none: the whole game
    seq = models.PositiveIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    entry = models.PositiveIntegerField(null=True)  # whose decision by a bot is repeated, if one is
    simulations = models.PositiveIntegerField()  # for each decision; 0: as many as time allows
    digest = models.CharField(max_length=64)  # of the code that searches
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    created = models.DateTimeField()
    deadline = models.DateTimeField()  # then it ends with the parts found so far
    due = models.DateTimeField()  # when idle parts are sent again
    ended = models.DateTimeField(null=True)
    result = models.TextField(blank=True, default="")  # JSON
    # for a bot's decision only
    bot = models.CharField(max_length=20, blank=True, default="")
    choice = models.CharField(max_length=40, blank=True, default="")
    seconds = models.FloatField(default=0)  # for each part to think
    seed = models.BigIntegerField(null=True)  # none: derived from the view

    class Meta:
        verbose_name_plural: ClassVar[str] = "analyses"
        indexes: ClassVar = [
            models.Index(
                fields=["deadline"], condition=models.Q(state="waiting"), name="unfinished"
            ),
            models.Index(fields=["ended"], name="analysis_ended"),
        ]

    def __str__(self) -> str:
        return self.id


class Part(models.Model):
    """One worker's share of an analysis: a search of one decision, with a seed of its own."""

    analysis = models.ForeignKey(Analysis, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    spread = models.PositiveSmallIntegerField()  # its number among the parts of its decision
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    simulations = models.PositiveIntegerField()  # requested
    begun = models.DateTimeField(null=True)  # when a worker last took it
    done = models.PositiveIntegerField(null=True)  # simulations made
    found = models.TextField(blank=True, default="")  # JSON

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("analysis", "number"), name="one_part_of_a_number")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.analysis_id}"
