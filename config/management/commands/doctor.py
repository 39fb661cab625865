"""`manage.py doctor`: examine the service, and name its faults and the commands that help. Ends
with 1 if something is bad; warnings alone are 0."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config import doctor
from config.doctor import Finding, State


class Command(BaseCommand):
    help = "Examine keys, database, broker, processes, stuck games, disk and clock."
    requires_system_checks = ()  # the key check is one of the examinations

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_: Any, **options: Any) -> None:
        is_bad = False
        for finding in doctor.examine():
            self.stdout.write(json.dumps(finding._asdict()) if options["json"] else line(finding))
            is_bad |= finding.state is State.BAD
        if is_bad:
            sys.exit(1)


def line(finding: Finding) -> str:
    """A finding as a line."""
    remedy = f"  ({finding.remedy})" if finding.remedy else ""
    return f"{finding.state:8} {finding.name}: {finding.detail}{remedy}"
