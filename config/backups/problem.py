"""The reason why a back-up cannot be made or restored."""

from __future__ import annotations


class BackupProblem(Exception):
    """No back-up was made or restored, and nothing has changed; the message is for the operator."""
