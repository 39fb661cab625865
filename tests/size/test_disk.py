"""The size of an entry on the disk."""

from __future__ import annotations

from typing import Final

from tests.size import disk, filling
from tests.size.filling import Plan
from tests.support.databases import Kept

GAMES: Final = 40
MOST_BYTES: Final = 360  # with the indexes; it was 698 when each entry held its whole text


def test_an_entry_is_small(kept_here: Kept) -> None:
    accounts = filling.add_accounts(10)
    entries = sum(filling.add_games(Plan(accounts[0].pk, GAMES, 60, 1)))
    assert entries > GAMES * 30
    size = disk.entry_size()
    assert size.row < size.with_indexes < MOST_BYTES
