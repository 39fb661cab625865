"""Hooks of the sweeper: Django signals for work that runs with its rounds and finds no lost
messages."""

from __future__ import annotations

from django.dispatch import Signal

sweep_progressed = Signal()  # sender: None; a round begins, or a game is processed
sweep_finished = Signal()  # sender: None; a round has ended, every second
cleanup_due = Signal()  # sender: None; every hour
