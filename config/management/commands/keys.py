"""`manage.py keys`: which keys do games and webhooks need, and may an old one be dropped? `reseal`
locks everything under the first key, `adopt` accepts the keys of this server as they are."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from config.environment import KeysMissing
from config.keys import confirming, locked
from config.keys.confirming import WrongKeys
from config.keys.locked import SHOWN
from config.keys.rings import Ring, Sealing, Signing, counted, rings
from games.models import ServerKey

DEEDS: Final = ("list", "reseal", "adopt")
ACCEPT: Final = "--accept-loss"


class Command(BaseCommand):
    help = "List the servers' keys by their fingerprints, lock anew under the first, or accept new."
    requires_system_checks = ()  # one of them refuses keys that this is about

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("deed", nargs="?", choices=DEEDS, default="list", help="list (the default)")
        add(ACCEPT, action="store_true", help="adopt, even if running games are lost by it")

    def handle(self, *_: Any, deed: str, accept_loss: bool, **__: Any) -> None:
        try:
            if deed == "adopt":
                self.adopt(accept_loss)
            elif deed == "reseal":
                self.reseal()
            else:
                self.show()
        except (KeysMissing, WrongKeys) as problem:
            raise CommandError(str(problem)) from problem

    def show(self) -> None:
        """Every key that the database or this server knows, and what needs it."""
        rows = confirming.known()
        if rows is None:
            raise CommandError("The database is not migrated: run `manage.py migrate` first.")
        for ring in rings():
            for line in lines(ring, rows):
                self.stdout.write(line)

    def reseal(self) -> None:
        """Lock anew under the first key what is under another."""
        confirming.confirm()
        done = locked.reseal(settings.SEALING_KEYS)
        self.stdout.write(f"Locked anew: {counted(done) or 'nothing, all is under the first key'}.")

    def adopt(self, accept_loss: bool) -> None:
        """Let the keys of this server be those of the database."""
        rows = confirming.known()
        if rows is None:
            raise CommandError("The database is not migrated: run `manage.py migrate` first.")
        kinds = (Sealing, settings.SEALING_KEYS), (Signing, settings.SIGNING_KEYS)
        had = [ring(keys if keys.is_there else []) for ring, keys in kinds]
        losses = [f"{ring.kind}: {lost}" for ring in had if (lost := ring.lost())]
        if losses and not accept_loss:
            raise CommandError(
                f"{worded(losses)} Put the old keys behind the new, or add {ACCEPT}."
            )
        for _, keys in kinds:
            keys.load(is_welcome=True)
        with transaction.atomic():
            confirming.lock()
            for ring in rings():
                confirming.learn(ring, list(ServerKey.objects.all()))
        self.stdout.write(f"Adopted. {worded(losses)}")


def worded(losses: list[str]) -> str:
    """What is lost with keys that are not here."""
    if not losses:
        return "Nothing is lost."
    told = "; ".join(losses)
    return (
        f"With keys that are not here goes what needs them ({told}): without its sealing key a"
        " running game stops, without its signing key its receipts name another."
    )


def lines(ring: Ring, rows: list[ServerKey]) -> Iterator[str]:
    """A line for each key of a kind that this server has, the database knows or something needs."""
    uses = ring.uses()
    known = {row.fingerprint[:SHOWN]: row for row in confirming.of(ring, rows)}
    used = [key for found in uses.values() for key in found]
    for key in dict.fromkeys([*(each[:SHOWN] for each in ring.held), *known, *used]):
        needs = counted({name: found[key] for name, found in uses.items()})
        shown = f"{key or 'without a name':{SHOWN}}"
        yield f"{ring.kind} {shown}  {state(ring, key, known.get(key))}: {needs or 'not needed'}"


def state(ring: Ring, key: str, row: ServerKey | None) -> str:
    """What a key is to this server and to its database."""
    is_current = row is not None and row.is_current
    if key == ring.held[0][:SHOWN]:
        return "first" if is_current else "first here, not known to the database yet"
    if any(each.startswith(key) for each in ring.held if key):
        return "first on another server" if is_current else "behind the first"
    return "dropped" if row and row.retired else "not here"
