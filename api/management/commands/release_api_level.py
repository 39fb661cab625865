"""`manage.py release_api_level`: release the current API level, so that it stays as it is, and keep
its document."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api import api_level, level_changes, schema


class Command(BaseCommand):
    help = "Release the current API level: the next change of the API is a new level."

    def handle(self, *arguments: Any, **options: Any) -> None:
        document, levels = schema.openapi_document(), api_level.STORED_LEVELS
        number = len(levels)
        if api_level.levels_including(document, levels) != levels:
            raise CommandError("The API has changed since. Run `make openapi` first.")
        if levels[-1].released:
            raise CommandError(f"Level {number} is released already.")
        released = (*levels[:-1], replace(levels[-1], released=datetime.now(UTC).date()))
        api_level.store_document(number, document)
        api_level.store_levels(released)
        level_changes.store_changes(document, released)
        self.stdout.write(f"Level {number} is released.")
