"""`manage.py raise_api_level`: raise the API level if the document has changed since the last
one."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from api import api_level, schema


class Command(BaseCommand):
    help = "Raise the API level if the API has changed."

    def handle(self, *arguments: Any, **options: Any) -> None:
        digests = api_level.digests_including(schema.openapi_document())
        api_level.LEVEL_FILE.write_text(json.dumps({"digests": digests}, indent=2) + "\n")
        self.stdout.write(f"The API is at level {len(digests)}.")
