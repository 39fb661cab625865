"""Feeds, the sources of streams, read page by page. A page is a pure function of a cursor: after a
failed read the same cursor is read again, so nothing is skipped. A page is read only when there is
room to send it, so nothing piles up for a slow client."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

from django.http import Http404

from api.authentication import viewer_of, visible_game
from api.errors import Refusal
from api.games import presenters
from api.games.named_texts import names_of
from api.streams.account_updates import TimedUpdate
from api.streams.formats import StreamItem
from games import selectors
from tabularium_engines.common.english_text import TITLES_ONLY

PAGE_SIZE: Final = 50
C = TypeVar("C")


class Page(NamedTuple, Generic[C]):
    """Some items and the cursor after them; `has_more`: more can be read at once, `is_last`: there
    will never be more."""

    items: list[StreamItem]
    cursor: C
    has_more: bool = False
    is_last: bool = False


class PendingUpdates(NamedTuple):
    """Updates of games that have grown, complete for all growth before `complete_until`."""

    by_game: Mapping[str, TimedUpdate] = {}
    complete_until: datetime | None = None

    def merge(self, later: PendingUpdates) -> PendingUpdates:
        """Both combined; later updates win."""
        return PendingUpdates(
            {**self.by_game, **later.by_game}, later.complete_until or self.complete_until
        )


NO_UPDATES: Final = PendingUpdates()


class Feed(ABC, Generic[C]):
    """A source of items for one client."""

    topic: str  # the game or account whose growth wakes the stream
    start_cursor: C
    sharing_key: Hashable = None  # equal for clients that get the same pages; None: not shared
    is_public: bool = False  # may be cached, as every client may read it

    @abstractmethod
    def read_page(self, cursor: C, pending_updates: PendingUpdates) -> Page[C]:
        """The page after the cursor."""

    @abstractmethod
    def is_database_read(self, cursor: C) -> bool:
        """Whether this page is read from the database."""


class GameFeed(Feed[int]):
    """The entries of a game after a seq, as `viewer`, a seat of the account, may see them. Without
    an account: the entries of a public game as every spectator may see them."""

    def __init__(
        self,
        game: str,
        account: str | None,
        viewer: int | None,
        after: int,
        *,
        has_names: bool = False,
    ) -> None:
        self.topic = game
        self.start_cursor = after
        self.sharing_key = (game, account, viewer, has_names)
        self.is_public = account is None
        self._account = account
        self._viewer = viewer
        self._has_names = has_names

    def read_page(self, cursor: int, pending_updates: PendingUpdates = NO_UPDATES) -> Page[int]:
        """The next entries. The view ends when the seat changes hands."""
        names = self._names()
        lines = selectors.game_log(self.topic, self._viewer, cursor, PAGE_SIZE, names=names)
        if not self._can_read():  # checked after the read: access held until then
            return Page([], cursor, is_last=True)
        head = selectors.game_head(self.topic)
        last_seq = lines[-1].seq if lines else cursor
        is_last = head.phase == "over" and last_seq >= head.seq
        items = [
            StreamItem("entry", str(entry.seq), entry)
            for entry in map(presenters.entry_view, lines)
        ]
        return Page(items, last_seq, has_more=len(lines) == PAGE_SIZE, is_last=is_last)

    def is_database_read(self, cursor: int) -> bool:
        """Always."""
        return True

    def _names(self) -> Mapping[int, str]:
        """The names that the players have now, if they are wanted."""
        row = selectors.game_visible_to(self._account, self.topic) if self._has_names else None
        return TITLES_ONLY if row is None else names_of(row)

    def _can_read(self) -> bool:
        try:
            visible_game(self._account, self.topic)
            viewer_of(self._account, self.topic, presenters.viewer_name(self._viewer))
        except (Http404, Refusal):
            return False
        return True
