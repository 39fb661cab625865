"""`manage.py raise_api_level`: note a changed OpenAPI document as the level after the released
ones, and its differences from the last one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from api import api_level, level_changes, schema


class Command(BaseCommand):
    help = "Raise the API level if the API differs from that of the last released level."

    def handle(self, *arguments: Any, **options: Any) -> None:
        document = schema.openapi_document()
        levels = api_level.levels_including(document)
        api_level.store_levels(levels)
        level_changes.store_changes(document, levels)
        state = "released" if levels[-1].released else "not released"
        self.stdout.write(f"The API is at level {len(levels)}, which is {state}.")
