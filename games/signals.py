"""The signal of games: a log has grown, and the new entries are committed."""

from __future__ import annotations

from django.dispatch import Signal

# sender: Projection; table: the projection after the entries; first: the seq of the first
entries_appended = Signal()
