"""`manage.py staff_actions`: the actions of operators on accounts and games, the latest first."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand

from games.models import StaffAction
from tabularium_log.projection.projection import format_time

MOST_SHOWN: Final = 100
FIELDS: Final = ("staff", "action", "target", "detail")


class Command(BaseCommand):
    help = "List the actions of operators on accounts and games, the latest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", nargs="?", help="of this account or game only")
        parser.add_argument("--limit", type=int, default=MOST_SHOWN)
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_: Any, target: str | None, limit: int, **options: Any) -> None:
        actions = StaffAction.objects.order_by("-pk")
        if target is not None:
            actions = actions.filter(target=target)
        for one in actions[:limit]:
            if options["json"]:
                facts = {name: getattr(one, name) for name in FIELDS}
                self.stdout.write(json.dumps({"at": format_time(one.at), **facts}))
                continue
            detail = f": {one.detail}" if one.detail else ""
            self.stdout.write(
                f"{one.at:%Y-%m-%d %H:%M:%S} UTC  {one.staff}  {one.action} {one.target}{detail}"
            )
