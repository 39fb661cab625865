"""Django signals of games, sent after the commit: `entries_appended` when a log has grown, and
`challenge_declined`, of which the log has no entry."""

from __future__ import annotations

from django.dispatch import Signal

# sender: Projection; table: the projection after the entries; first: the seq of the first
entries_appended = Signal()
# sender: Challenge; game: its id
challenge_declined = Signal()
