"""`manage.py balance_report`: write docs/balance.md and its picture from the stored results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ai.balance.laboratory import Results
from ai.balance.page import render_files


class Command(BaseCommand):
    help = "Rewrite docs/balance.md and its chart from the stored results."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        for path, text in render_files(Results()).items():
            path.write_text(text)
            self.stdout.write(f"Wrote {path.name}.")
