"""What does the outside hear of games? One thing: that a log has grown, and is kept."""

from __future__ import annotations

from django.dispatch import Signal

entries_appended = Signal()  # sender: Table; table: the Table after them; first: seq of the first
