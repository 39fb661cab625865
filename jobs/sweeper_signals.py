"""Signals of the sweeper, for code that runs with its rounds instead of scheduling its own."""

from __future__ import annotations

from django.dispatch import Signal

sweep_progressed = Signal()  # sender: None; a round begins, or a game is processed
sweep_finished = Signal()  # sender: None; a round has ended, every second
cleanup_due = Signal()  # sender: None; every hour
