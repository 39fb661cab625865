"""`manage.py strength`: write docs/strength.md and its picture anew, from what was measured."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ai import strength
from ai.arena import page


class Command(BaseCommand):
    help = "Write docs/strength.md and its picture anew, from what was measured."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        for path, text in page.files(strength.measured()).items():
            path.write_text(text)
            self.stdout.write(f"{path.name} is written.")
