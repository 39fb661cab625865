"""`manage.py strength_report`: write docs/strength.md and its picture from the measurements."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ai import strength_results
from ai.arena import strength_page


class Command(BaseCommand):
    help = "Rewrite docs/strength.md and its chart from the stored results."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        for path, text in strength_page.render_files(strength_results.load_results()).items():
            path.write_text(text)
            self.stdout.write(f"Wrote {path.name}.")
