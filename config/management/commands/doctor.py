"""`manage.py doctor`: examine the service, and name its faults and the commands that help. Ends
with 1 if something is bad; warnings alone are 0."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from ipaddress import ip_address
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from api import client_names
from api.limits.client_address import client_address_of
from config import doctor
from config.doctor import Finding, State

HERE_HELP: Final = "only examine this part on this machine, as a health check of its container"
CLIENT_HELP: Final = "only print the name by which the access log calls this IP address"


class Command(BaseCommand):
    help = "Examine keys, database, broker, processes, stuck games, disk and clock."
    requires_system_checks = ()  # the key check is one of the examinations

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--here", choices=doctor.PROCESSES_BY_PART, help=HERE_HELP)
        parser.add_argument("--client", metavar="ADDRESS", help=CLIENT_HELP)

    def handle(self, *_: Any, **options: Any) -> None:
        if options["client"] is not None:
            self.stdout.write(client_names.pseudonym(parse_address(options["client"])))
            return
        is_bad = False
        here = options["here"]
        for finding in [doctor.examine_here(here)] if here else doctor.examine():
            self.stdout.write(json.dumps(finding._asdict()) if options["json"] else line(finding))
            is_bad |= finding.state is State.BAD
        if is_bad:
            sys.exit(1)


def parse_address(text: str) -> str:
    """An address as the service knows its clients."""
    try:
        ip_address(text)
    except ValueError as problem:
        raise CommandError(f"{text} is no IP address.") from problem
    return client_address_of({"REMOTE_ADDR": text})


def line(finding: Finding) -> str:
    """A finding as a line."""
    remedy = f"  ({finding.remedy})" if finding.remedy else ""
    return f"{finding.state:8} {finding.name}: {finding.detail}{remedy}"
