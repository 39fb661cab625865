"""What is remembered of those who work for the games? Who is alive, and which bots had trouble."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


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

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("game", "seq"), name="thought_entry")
        ]

    def __str__(self) -> str:
        return f"{self.bot} at entry {self.seq} of {self.game_id}"


class Pulse(models.Model):
    """The last sign of life of a kind of process."""

    name = models.CharField(primary_key=True, max_length=20)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
