"""The only model of background work, `ProcessHeartbeat`: the last heartbeat of a worker or sweeper.
Outboxes store no rows."""

from __future__ import annotations

from django.db import models


class ProcessHeartbeat(models.Model):
    """The last heartbeat of a process: a worker took a canary, or a sweeper began a round."""

    name = models.CharField(primary_key=True, max_length=255)  # such as worker@host
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    # grows with every heartbeat, independent of any clock
    beats = models.PositiveBigIntegerField(default=0)

    class Meta:
        db_table = "ai_pulse"  # of the app in which migrations created it

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
