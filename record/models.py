"""Database models of the public record: leaves, tiles, the tree's size and root, checkpoints and
announced keys. The database itself refuses all changes but growth (see the migrations)."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models

from games.column_lengths import ID_LENGTH

ORIGIN_LENGTH: Final = 200
TOKEN_LENGTH: Final = 32
DIGEST_LENGTH: Final = 64  # of SHA-256, in hex
VERIFIER_KEY_LENGTH: Final = 300


class Leaf(models.Model):
    """A leaf of the tree."""

    number = models.BigIntegerField(primary_key=True)  # from 0, without gaps
    hash = models.BinaryField(unique=True)
    # null: it is about none, or is blinded and its game is not in this database
    game = models.CharField(max_length=ID_LENGTH, null=True, unique=True)  # noqa: DJ001
    text = models.TextField()

    class Meta:
        verbose_name_plural = "leaves"

    def __str__(self) -> str:
        return f"leaf {self.number}"


class Tile(models.Model):
    """A tile of the tree, which only grows at its end."""

    pk = models.CompositePrimaryKey("level", "number")
    level = models.SmallIntegerField()
    number = models.BigIntegerField()
    hashes = models.BinaryField()

    def __str__(self) -> str:
        return f"tile {self.number} of level {self.level}"


class Tree(models.Model):
    """The tree, of which there is one: its size and root, its name once it is signed, and which
    guard may sign it."""

    ONLY: ClassVar = 1

    id = models.SmallIntegerField(primary_key=True, default=ONLY)
    size = models.BigIntegerField(default=0)
    root = models.BinaryField()
    origin = models.CharField(max_length=ORIGIN_LENGTH, blank=True, default="")
    guard = models.CharField(max_length=TOKEN_LENGTH, blank=True, default="")

    def __str__(self) -> str:
        return f"the tree of {self.size} leaves"


class SignedCheckpoint(models.Model):
    """A checkpoint, as it is served from the moment of its signature."""

    size = models.BigIntegerField()
    at = models.DateTimeField()
    note = models.TextField()

    class Meta:
        db_table = "record_checkpoint"

    def __str__(self) -> str:
        return f"checkpoint of {self.size} leaves"


class AnnouncedKey(models.Model):
    """A key that a leaf has announced."""

    class Use(models.TextChoices):
        """The purpose of a key."""

        RECORD = "record"
        RECEIPTS = "receipts"
        WITNESS = "witness"

    vkey = models.CharField(max_length=VERIFIER_KEY_LENGTH, primary_key=True)
    use = models.CharField(max_length=10, choices=Use)
    leaf = models.BigIntegerField()
    retired = models.BigIntegerField(null=True)  # the leaf that says so

    class Meta:
        db_table = "record_key"

    def __str__(self) -> str:
        return self.vkey


class Cosignature(models.Model):
    """A witness's line under a checkpoint."""

    checkpoint = models.ForeignKey(SignedCheckpoint, on_delete=models.PROTECT)
    vkey = models.CharField(max_length=VERIFIER_KEY_LENGTH)
    line = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"cosignature by {self.vkey}"


class AskedWitness(models.Model):
    """How a witness has last answered."""

    vkey = models.CharField(max_length=VERIFIER_KEY_LENGTH, primary_key=True)
    size = models.BigIntegerField(default=0)  # of the last tree that it has cosigned
    cosigned = models.DateTimeField(null=True)
    at = models.DateTimeField()
    problem = models.TextField(blank=True, default="")  # of its last answer

    class Meta:
        db_table = "record_asked"

    def __str__(self) -> str:
        return self.vkey


# -- of other logs --------------------------------------------------------------------------------


class Witnessed(models.Model):
    """The last checkpoint of another log that the witness here has cosigned."""

    log = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)  # SHA-256 of the origin
    origin = models.CharField(max_length=ORIGIN_LENGTH)
    size = models.BigIntegerField(default=0)
    root = models.BinaryField()
    note = models.TextField(blank=True, default="")  # with the cosignatures; empty before the first
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "witnessed"

    def __str__(self) -> str:
        return f"{self.size} leaves of {self.origin}"


class Evidence(models.Model):
    """A signed checkpoint of another log that was refused, and the one that was cosigned then."""

    class Kind(models.TextChoices):
        """The reason."""

        FORK = "fork"  # another root of the same size
        UNPROVEN = "unproven"  # no proof that it continues the other one

    log = models.CharField(max_length=DIGEST_LENGTH)
    origin = models.CharField(max_length=ORIGIN_LENGTH)
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.CharField(max_length=DIGEST_LENGTH)  # of the text
    size = models.BigIntegerField()
    note = models.TextField()
    against = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "kind", "digest"], name="record_evidence_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.size} leaves of {self.origin}"
