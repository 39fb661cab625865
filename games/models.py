"""Database models of games: accounts, games, players, log entries, imports and ratings.

A game's columns next to its log are those by which it is found. Entries are only ever added; the
database itself refuses any other change (see the migrations). All other columns of a game follow
from its log, except its locked secret and its visibility.
"""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models

from games import ids
from games.column_lengths import HASH_LENGTH, ID_LENGTH, NAME_BYTES, REASON_LENGTH

PLAYER_LENGTH: Final = 48


def account_id() -> str:
    """An id for a new account."""
    return ids.new_id("account")


def game_id() -> str:
    """An id for a new game."""
    return ids.new_id("game")


def import_id() -> str:
    """An id for a new import."""
    return ids.new_id("import")


class Account(models.Model):
    """An account: a person who plays, or a person's program."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=account_id)
    name = models.CharField(max_length=NAME_BYTES, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)
    banned = models.DateTimeField(null=True)
    ban_reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["name", "id"], name="accounts_by_name")]

    def __str__(self) -> str:
        return self.name or self.id


class Game(models.Model):
    """A table, and the head of its log."""

    class Phase(models.TextChoices):
        """The phase of a game."""

        GATHERING = "gathering"
        PLAYING = "playing"
        OVER = "over"

    class Visibility(models.TextChoices):
        """The clients that may watch."""

        PUBLIC = "public"
        PRIVATE = "private"
        UNLISTED = "unlisted"  # hidden: clients that know its id may watch

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=game_id)
    owner = models.ForeignKey(
        Account, models.SET_NULL, null=True, blank=True, related_name="created_games"
    )
    rules = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    secret = models.BinaryField()  # encrypted under a key that is not in the database
    # the head of the log, and the columns that follow from it
    seq = models.PositiveIntegerField()
    hash = models.CharField(max_length=HASH_LENGTH)
    at = models.DateTimeField()
    phase = models.CharField(max_length=10, choices=Phase)
    awaited = models.PositiveIntegerField(default=0)  # bit mask of seats
    bots = models.PositiveIntegerField(default=0)  # bit mask of seats
    deadline = models.DateTimeField(null=True)
    # the open one, as JSON; null: with a default, SQLite would make the table anew
    proposal = models.TextField(null=True)  # noqa: DJ001
    rated = models.BooleanField(default=False)  # as entry 1 says
    leaf = models.BigIntegerField(null=True)  # its number in the public record
    next = models.ForeignKey(  # its rematch
        "self",
        models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["at"], condition=models.Q(rated=True, phase="over"), name="rated_and_over"
            ),
            models.Index(fields=["phase", "at"]),
            models.Index(
                fields=["at", "id"], condition=models.Q(visibility="public"), name="public_recent"
            ),
            models.Index(
                fields=["rules", "at", "id"],
                condition=models.Q(visibility="public"),
                name="public_rules_recent",
            ),
            models.Index(
                fields=["rules", "id"],
                condition=models.Q(visibility="public"),
                name="public_rules_newest",
            ),
            models.Index(
                fields=["id"], condition=models.Q(phase="gathering"), name="gathering_newest"
            ),
            models.Index(
                fields=["deadline"], condition=models.Q(deadline__isnull=False), name="due"
            ),
            models.Index(
                fields=["phase", "at", "id"],  # phase: then SQLite prefers it
                condition=models.Q(phase="over", leaf__isnull=True),
                name="not_in_record",
            ),
        ]

    def __str__(self) -> str:
        return self.id


class Import(models.Model):
    """An import: a game that was played on another server, and the receipts that came with it."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=import_id)
    game = models.OneToOneField(Game, models.CASCADE, related_name="imported")
    account = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="imports")
    at = models.DateTimeField(null=True)  # of the import; null: before that was recorded
    key = models.CharField(max_length=HASH_LENGTH)  # of the server that played it
    receipts = models.TextField(default="[]")  # that server's own, canonical JSON

    def __str__(self) -> str:
        return f"import of {self.game_id}"


class Player(models.Model):
    """The player on a seat: the only link from a seat of the log to an account."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="players", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="players")
    # that the account was deleted: the people of imported games have none either
    is_account_deleted = models.BooleanField(default=False)
    bot = models.CharField(max_length=40, blank=True, default="")
    # the first player here, by its id in ratings (games/ratings/player_ratings.py); blank: unrated
    rated_as = models.CharField(max_length=PLAYER_LENGTH, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="one_player_per_seat"),
            models.UniqueConstraint(
                fields=["game", "rated_as"],
                condition=~models.Q(rated_as=""),
                name="one_seat_per_rated_player",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["bot", "game"], condition=~models.Q(bot=""), name="games_of_bot"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}"


class Challenge(models.Model):
    """A seat that is kept for an account until it takes the seat or declines. One whose account was
    deleted counts as declined."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="challenges", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="challenges")
    created = models.DateTimeField(auto_now_add=True)
    declined = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="one_challenge_per_seat"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["declined"],
                condition=models.Q(declined__isnull=False),
                name="declined_challenges",
            ),
        ]

    def __str__(self) -> str:
        return f"challenge to seat {self.seat} of {self.game_id}"


class Entry(models.Model):
    """One line of a log, without the parts of its text that its game and the entry before it give
    (tabularium_log/projection/entry.py)."""

    pk = models.CompositePrimaryKey("game", "seq")
    # the columns of fixed length come first: then none needs padding
    at = models.BigIntegerField()  # milliseconds since 1970
    seq = models.PositiveIntegerField()
    seat = models.SmallIntegerField(null=True)
    game = models.ForeignKey(Game, models.PROTECT, related_name="entries", db_index=False)
    action = models.TextField()  # JSON, with null for each sealed field
    paths = models.TextField(blank=True)  # of the sealed fields, a space between two
    seals = models.BinaryField(blank=True)  # of these fields, in this order
    hash = models.BinaryField()
    box = models.BinaryField(blank=True)  # the encrypted draws and sealed fields

    class Meta:
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"entry {self.seq} of {self.game_id}"


class OldEntry(models.Model):
    """One line of a log in the old table, which is only read: its public text, its hash, and a box
    with the complete entry. games/log_mover.py moves it to the table of entries."""

    pk = models.CompositePrimaryKey("game", "seq")
    game = models.ForeignKey(Game, models.PROTECT, related_name="old_entries", db_index=False)
    seq = models.PositiveIntegerField()
    text = models.TextField()
    hash = models.CharField(max_length=HASH_LENGTH)
    box = models.BinaryField()

    class Meta:
        verbose_name_plural = "old entries"

    def __str__(self) -> str:
        return f"old entry {self.seq} of {self.game_id}"


class Request(models.Model):
    """A request that has been answered: sent again under the same key, it is not run again."""

    owner = models.CharField(max_length=64)  # the account, or the address, that sent it
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=HASH_LENGTH)  # of the request
    # of an action, whose reply is made from the log: the entries that it made
    game = models.ForeignKey(
        Game, models.CASCADE, null=True, db_index=False, related_name="requests"
    )
    first = models.PositiveIntegerField(default=0)
    last = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "key"], name="one_request_per_owner_and_key"),
        ]

    def __str__(self) -> str:
        return f"request {self.key} of {self.owner}"


class Rating(models.Model):
    """A player's rating after a rated game. A cache: it follows from the logs."""

    rules = models.CharField(max_length=40)
    player = models.CharField(max_length=PLAYER_LENGTH)
    game = models.ForeignKey(Game, models.CASCADE, related_name="ratings", db_index=False)
    at = models.DateTimeField()  # of the game's end: games are ordered by this, then by id
    games = models.PositiveIntegerField()  # rated games so far
    mu = models.FloatField()
    sigma = models.FloatField()
    ordinal = models.FloatField()
    is_latest = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "player"], name="one_rating_per_game"),
            models.UniqueConstraint(
                fields=["rules", "player"],
                condition=models.Q(is_latest=True),
                name="one_latest_rating",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["rules", "ordinal"], condition=models.Q(is_latest=True), name="ladder"
            ),
            models.Index(fields=["rules", "at", "game"], name="rated_in_order"),
            models.Index(fields=["player", "rules", "at"], name="career"),
        ]

    def __str__(self) -> str:
        return f"{self.player} after {self.game_id}"


class Ladder(models.Model):
    """The ratings of a ruleset, and how often they have been changed: each writer compares and sets
    that number."""

    rules = models.CharField(primary_key=True, max_length=40)
    changes = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return self.rules


class InstalledRuleset(models.Model):
    """A version of a game's rules that is or was installed here, and the package that brought it,
    so that a game whose rules are gone can say what is missing."""

    slug = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    package = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["slug", "version"], name="one_row_per_ruleset"),
        ]

    def __str__(self) -> str:
        return f"{self.slug} rules version {self.version}"


class ServerKey(models.Model):
    """A key of the servers on this database: its fingerprint and state, never the key itself."""

    class Kind(models.TextChoices):
        """The purpose of a key."""

        SEALING = "sealing"
        SIGNING = "signing"

    kind = models.CharField(max_length=10, choices=Kind)
    # of a signing key the public key, of a sealing key its digest (fairness/encryption.py)
    fingerprint = models.CharField(max_length=HASH_LENGTH)
    since = models.DateTimeField(auto_now_add=True)
    is_current = models.BooleanField()  # new games are sealed or signed with it
    retired = models.DateTimeField(null=True)  # since then no server needs it

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "fingerprint"], name="one_row_per_key"),
            models.UniqueConstraint(
                fields=["kind"], condition=models.Q(is_current=True), name="one_current_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} key {self.fingerprint[:16]}"


class StaffAction(models.Model):
    """An action of an operator on an account or a game. It is kept for good, and names no account
    but by its id."""

    at = models.DateTimeField(auto_now_add=True)
    staff = models.CharField(max_length=100)  # the operator
    action = models.CharField(max_length=40)
    target = models.CharField(max_length=ID_LENGTH, db_index=True)  # an account or a game
    detail = models.CharField(max_length=REASON_LENGTH, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.action} {self.target} by {self.staff}"
