"""Django signals of games: `entries_appended`, sent when a log has grown and its new entries are
committed."""

from __future__ import annotations

from django.dispatch import Signal

# sender: Projection; table: the projection after the entries; first: the seq of the first
entries_appended = Signal()
