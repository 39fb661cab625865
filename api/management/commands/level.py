"""`manage.py level`: raise the level of the API if its document is another than at the last one."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from api import level, schema


class Command(BaseCommand):
    help = "Raise the level of the API, if there is a reason."

    def handle(self, *arguments: Any, **options: Any) -> None:
        digests = level.raised(schema.openapi())
        level.FILE.write_text(json.dumps({"digests": digests}, indent=2) + "\n")
        self.stdout.write(f"The API is at level {len(digests)}.")
