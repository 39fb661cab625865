"""`manage.py keys`: list the keys that games and webhooks need, and whether an old one may be
dropped. `reseal` re-encrypts everything under the first key, `adopt` accepts the keys of this
server as they are."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from config.keys import fingerprint_check, sealed_columns
from config.keys.fingerprint_check import WrongKeysError
from config.keys.key_files import MissingKeysError
from config.keys.keyrings import (
    Keyring,
    SealingKeyring,
    SigningKeyring,
    count_phrase,
    server_keyrings,
)
from config.keys.sealed_columns import FINGERPRINT_DIGITS_SHOWN
from games.models import ServerKey

SUBCOMMANDS: Final = ("list", "reseal", "adopt")
ACCEPT_LOSS_OPTION: Final = "--accept-loss"


class Command(BaseCommand):
    help = (
        "List the servers' keys by fingerprint, re-encrypt with the first key, or adopt new keys."
    )
    requires_system_checks = ()  # the key check would refuse the keys to be adopted

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add(
            "subcommand",
            nargs="?",
            choices=SUBCOMMANDS,
            default="list",
            help="the subcommand (default: list)",
        )
        add(
            ACCEPT_LOSS_OPTION,
            action="store_true",
            help="adopt new keys even if running games are lost",
        )

    def handle(self, *_: Any, subcommand: str, accept_loss: bool, **__: Any) -> None:
        try:
            if subcommand == "adopt":
                self.adopt(accept_loss)
            elif subcommand == "reseal":
                self.reseal()
            else:
                self.list_keys()
        except (MissingKeysError, WrongKeysError) as problem:
            raise CommandError(str(problem)) from problem

    def list_keys(self) -> None:
        """List every key that the database or this server knows, and the rows that need it."""
        rows = fingerprint_check.recorded_keys()
        if rows is None:
            raise CommandError("The database is not migrated: run `manage.py migrate` first.")
        for ring in server_keyrings():
            for line in key_lines(ring, rows):
                self.stdout.write(line)

    def reseal(self) -> None:
        """Re-encrypt under the first key all rows that are under another."""
        fingerprint_check.confirm_keys()
        counts = sealed_columns.reseal(settings.SEALING_KEYS)
        self.stdout.write(
            f"Re-encrypted: {count_phrase(counts) or 'nothing, all rows use the first key'}."
        )

    def adopt(self, accept_loss: bool) -> None:
        """Make the keys of this server those of the database."""
        rows = fingerprint_check.recorded_keys()
        if rows is None:
            raise CommandError("The database is not migrated: run `manage.py migrate` first.")
        kinds = (SealingKeyring, settings.SEALING_KEYS), (SigningKeyring, settings.SIGNING_KEYS)
        old_rings = [ring(keys if keys.has_key else []) for ring, keys in kinds]
        losses = [
            f"{ring.kind}: {uses}" for ring in old_rings if (uses := ring.describe_lost_uses())
        ]
        if losses and not accept_loss:
            raise CommandError(
                f"{loss_message(losses)} Append the old keys to the new ones, or add "
                f"{ACCEPT_LOSS_OPTION}."
            )
        for _, keys in kinds:
            keys.load(may_create=True)
        with transaction.atomic():
            fingerprint_check.lock_key_check()
            for ring in server_keyrings():
                fingerprint_check.record_keys(ring, list(ServerKey.objects.all()))
        self.stdout.write(f"Adopted. {loss_message(losses)}")


def loss_message(losses: list[str]) -> str:
    """The loss caused by missing keys, in words."""
    if not losses:
        return "Nothing is lost."
    text = "; ".join(losses)
    return (
        f"Without the missing keys, the rows that need them are lost ({text}): without "
        "its sealing key a running game stops, without its signing key its receipts "
        "name another key."
    )


def key_lines(ring: Keyring, rows: list[ServerKey]) -> Iterator[str]:
    """A line for each key of one kind that this server has, the database knows or a row needs."""
    counts_by_kind = ring.count_uses_by_key()
    rows_by_key = {
        row.fingerprint[:FINGERPRINT_DIGITS_SHOWN]: row
        for row in fingerprint_check.rows_of_kind(ring, rows)
    }
    needed_keys = [key for counts in counts_by_kind.values() for key in counts]
    for key in dict.fromkeys(
        [
            *(fingerprint[:FINGERPRINT_DIGITS_SHOWN] for fingerprint in ring.fingerprints),
            *rows_by_key,
            *needed_keys,
        ]
    ):
        needs = count_phrase({name: counts[key] for name, counts in counts_by_kind.items()})
        label = f"{key or 'without a name':{FINGERPRINT_DIGITS_SHOWN}}"
        state = key_state(ring, key, rows_by_key.get(key))
        yield f"{ring.kind} {label}  {state}: {needs or 'not needed'}"


def key_state(ring: Keyring, key: str, row: ServerKey | None) -> str:
    """The status of a key on this server and in its database."""
    is_current = row is not None and row.is_current
    if key == ring.fingerprints[0][:FINGERPRINT_DIGITS_SHOWN]:
        return "first" if is_current else "first here, not yet recorded in the database"
    if any(fingerprint.startswith(key) for fingerprint in ring.fingerprints if key):
        return "first on another server" if is_current else "after the first"
    return "dropped" if row and row.retired else "not here"
