"""Database models of the API: keys, handovers, recovery codes, invitations, rate-limit buckets,
stored replies, drawn replays, webhooks, deliveries and metrics."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.db import models

from games import ids
from games.column_lengths import HASH_LENGTH, ID_LENGTH, NAME_BYTES


def key_id() -> str:
    """A new key id."""
    return ids.new_id("key")


def webhook_id() -> str:
    """A new webhook id."""
    return ids.new_id("webhook")


def delivery_id() -> str:
    """A new delivery id: the `webhook-id` of all its attempts."""
    return ids.new_id("msg")


class Key(models.Model):
    """A key of an account, with its scopes."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=key_id)
    account = models.ForeignKey("games.Account", models.CASCADE, related_name="keys")
    name = models.CharField(max_length=NAME_BYTES, blank=True, default="")
    digest = models.CharField(max_length=HASH_LENGTH, unique=True)
    scopes = models.CharField(max_length=200)  # separated by spaces
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    # the key that created it, and with which it is deleted
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    # the key that replaces it, once it is rotated
    successor = models.OneToOneField("self", models.SET_NULL, null=True, related_name="predecessor")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.id


class Handover(models.Model):
    """A one-time code with which another device gets a key of the same account."""

    key = models.OneToOneField(Key, models.CASCADE, primary_key=True, related_name="handover")
    digest = models.CharField(max_length=HASH_LENGTH, unique=True)
    keeps_key = models.BooleanField()  # else the new key replaces it
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "api_handover"

    def __str__(self) -> str:
        return f"handover of {self.key_id}"


class RecoveryCode(models.Model):
    """A one-time code that gives a new key with all scopes to an owner who has lost the others."""

    digest = models.CharField(primary_key=True, max_length=HASH_LENGTH)
    account = models.ForeignKey("games.Account", models.CASCADE, related_name="recovery_codes")
    created = models.DateTimeField()
    used = models.DateTimeField(null=True)
    key = models.CharField(max_length=ID_LENGTH, default="")  # the key that came of it

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["used"], condition=models.Q(used__isnull=False), name="used_codes"
            ),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.account_id}"


class Invitation(models.Model):
    """A seat that is reserved for the holder of an invitation."""

    game = models.ForeignKey(
        "games.Game", models.CASCADE, related_name="invitations", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=HASH_LENGTH, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    accepted = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="one_invitation_per_seat"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}"


class Bucket(models.Model):
    """A rate-limit bucket of a caller: when its whole quota is available again."""

    key = models.CharField(primary_key=True, max_length=120)  # limit:caller
    full_at = models.BigIntegerField(db_index=True)  # microseconds since 1970

    def __str__(self) -> str:
        return self.key


class Reply(models.Model):
    """The reply to a request with an idempotency key, kept for a day; it may hold a secret."""

    KEPT_FOR: ClassVar = timedelta(days=1)

    request = models.OneToOneField(
        "games.Request", models.CASCADE, primary_key=True, related_name="reply"
    )
    sealed = models.BinaryField()  # with a key that is not in the database
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "replies"

    def __str__(self) -> str:
        return f"reply to {self.request_id}"


class Replay(models.Model):
    """The replay of a game that is over, as an animated WebP: being drawn, or kept."""

    id = models.CharField(primary_key=True, max_length=HASH_LENGTH)  # the digest of all it shows
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+")
    style = models.TextField()  # JSON
    frames = models.PositiveSmallIntegerField()
    drawn = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(db_index=True)
    begun = models.DateTimeField(null=True)  # when a worker last took it
    due = models.DateTimeField()  # when its task is sent again
    content = models.BinaryField(null=True)  # once it is drawn
    # who asked for it: an account, or an address
    caller = models.CharField(max_length=64, null=True)  # noqa: DJ001  # null: of before, not unique

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(content=None), name="undrawn"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["caller"], condition=models.Q(content=None), name="one_undrawn_per_caller"
            ),
        ]

    def __str__(self) -> str:
        return self.id


class Webhook(models.Model):
    """An address that is notified of events in an account's games."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=webhook_id)
    account = models.ForeignKey("games.Account", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.CharField(max_length=200)  # separated by spaces
    is_enabled = models.BooleanField(default=True)
    reason = models.CharField(max_length=200, blank=True, default="")  # why it is disabled
    since = models.DateTimeField()  # earlier events are not delivered
    secret = models.BinaryField()  # sealed with a key that is not in the database
    old_secret = models.BinaryField(null=True)
    old_until = models.DateTimeField(null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [
            models.Index(
                fields=["id"], name="api_webhook_enabled", condition=models.Q(is_enabled=True)
            )
        ]

    def __str__(self) -> str:
        return self.id


class AnnouncedEntry(models.Model):
    """The last entry of a game that was announced to the webhooks."""

    game = models.OneToOneField(
        "games.Game",
        models.CASCADE,
        primary_key=True,
        db_column="game_id",
        related_name="announced",
    )
    seq = models.PositiveIntegerField()

    class Meta:
        db_table = "api_announced"
        verbose_name_plural = "announced entries"

    def __str__(self) -> str:
        return f"{self.game_id} up to {self.seq}"


class Delivery(models.Model):
    """A notice for a webhook, and the outcome of sending it."""

    class State(models.TextChoices):
        """The progress of a delivery."""

        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=delivery_id)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=40)
    text = models.TextField()  # the exact body
    created = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(null=True)  # the next attempt
    # when its task was last sent to the broker
    enqueued_at = models.DateTimeField(null=True, db_column="told")
    # the last attempt
    at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    duration_ms = models.PositiveIntegerField(null=True)
    answer = models.TextField(blank=True, default="")  # only its beginning
    error = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name_plural = "deliveries"
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="undelivered"),
            models.Index(fields=["created"]),
        ]

    def __str__(self) -> str:
        return self.id


class GameCount(models.Model):
    """Changes in the number of games in a phase. Database triggers add rows (see the migrations),
    and the sweeper compacts them; their sum is the number of games."""

    id = models.BigAutoField(primary_key=True)
    rules = models.CharField(max_length=40)
    phase = models.CharField(max_length=10)
    number = models.BigIntegerField()

    class Meta:
        db_table = "api_tally"

    def __str__(self) -> str:
        return f"{self.number:+} {self.phase} {self.rules}"


class ServerMetric(models.Model):
    """A server-wide metric: a count over all processes, or a value that one of them has set."""

    name = models.CharField(primary_key=True, max_length=40)
    value = models.FloatField(default=0)

    class Meta:
        db_table = "api_figure"

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
