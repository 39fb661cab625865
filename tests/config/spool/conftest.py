"""A spool for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.spool.message_folders import Spool


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    """An empty spool with the queue `bots`."""
    new_spool = Spool(tmp_path)
    new_spool.declare("bots")
    return new_spool
