"""What does the outside hear of the sweeper? When it makes its round, so that others need none."""

from __future__ import annotations

from django.dispatch import Signal

sweep_progressed = Signal()  # sender: None; it gets on: a round begins, or a game has its turn
sweep_finished = Signal()  # sender: None; a round, every second
cleanup_due = Signal()  # sender: None; a clearance, every hour
