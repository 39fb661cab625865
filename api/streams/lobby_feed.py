"""The feed of the lobby, for the stream of open tables: first all of them, newest first, then each
one that opens, changes or closes. It mirrors the list of open games, so that a client holds that
list as it is now, and it is the same for all clients."""

from __future__ import annotations

from typing import Final, NamedTuple

from api.games import game_lists
from api.shapes.games import GameSummary
from api.shapes.streams import LobbyUpdate
from api.streams.feeds import NO_UPDATES, PAGE_SIZE, Feed, Page, PendingUpdates
from api.streams.formats import StreamItem
from api.streams.hub import LOBBY
from games import selectors

MOST_TABLES: Final = 200  # the newest ones


class SentTable(NamedTuple):
    """A table as it was last sent."""

    game: str
    seq: int
    open_seats: tuple[int, ...]


LobbyCursor = frozenset[SentTable] | None  # None: nothing was sent yet


class LobbyFeed(Feed[LobbyCursor]):
    """The open tables, of one ruleset or of all."""

    topic = LOBBY
    start_cursor: LobbyCursor = None
    is_public = True

    def __init__(self, rules: str | None) -> None:
        self.sharing_key = (LOBBY, rules)
        self._filter = game_lists.game_filter({"rules": rules, "open": True})

    def read_page(
        self, cursor: LobbyCursor, pending_updates: PendingUpdates = NO_UPDATES
    ) -> Page[LobbyCursor]:
        """The differences between the tables that were sent and those there are."""
        items = [LobbyUpdate(None, None)] if cursor is None else []
        cursor = cursor or frozenset()
        games = selectors.games_visible_to(None, self._filter).page("newest", None, MOST_TABLES)
        tables = {_as_sent(table): table for table in game_lists.listed_games(None, games)}
        changed = [sent for sent in tables if sent not in cursor][:PAGE_SIZE]
        there = {table.id for table in tables.values()}
        closed = sorted({sent.game for sent in cursor} - there)
        items += [LobbyUpdate(game, None) for game in closed]
        items += [LobbyUpdate(sent.game, tables[sent]) for sent in changed]
        renewed = {sent.game for sent in changed}
        kept = {sent for sent in cursor if sent.game in there - renewed}
        next_cursor = frozenset(kept.union(changed))
        has_more = any(sent not in next_cursor for sent in tables)
        return Page([StreamItem("table", "", item) for item in items], next_cursor, has_more)

    def is_database_read(self, cursor: LobbyCursor) -> bool:
        """Always."""
        return True


def _as_sent(table: GameSummary) -> SentTable:
    return SentTable(table.id, table.seq, table.open_seats)
