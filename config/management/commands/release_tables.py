"""`manage.py release_tables VERSION`: state the tables and rulesets of a version before its
release, to which `manage.py downgrade` then returns."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import downgrade


class Command(BaseCommand):
    help = "State the tables and rulesets of a version before its release, for `downgrade`."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="VERSION")
        parser.add_argument("--check", action="store_true", help="only compare")

    def handle(self, *_: Any, **options: Any) -> None:
        version = options["release"]
        if not options["check"]:
            downgrade.state_release(version)
        elif downgrade.releases().get(version) != downgrade.release_here():
            raise CommandError(
                f"{downgrade.RELEASES_FILE.name} states other tables or rulesets of {version}, or"
                f" none: run `manage.py release_tables {version}`."
            )
