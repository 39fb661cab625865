"""What does a stream tell next? A page is a pure function of a cursor: a page that could not be
read is read again from the same cursor, so that nothing is skipped. It is read when there is room
to send, so that nothing piles up for a slow client."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

from django.http import Http404

from api.access import seats_of, viewer_of, visible_game
from api.errors import Refusal
from api.games import showing
from api.streams.formats import Item
from api.streams.standings import Standing
from games import selectors

PAGE: Final = 50
C = TypeVar("C")


class Page(NamedTuple, Generic[C]):
    """Some items, and the cursor from which to go on; whether there are more already, and whether
    there will ever be."""

    items: list[Item]
    cursor: C
    has_more: bool = False
    is_last: bool = False


class Heard(NamedTuple):
    """Where games stand that have grown; no game has grown before `until` that is not told of."""

    standings: Mapping[str, Standing] = {}
    until: datetime | None = None

    def and_then(self, later: Heard) -> Heard:
        """Both."""
        return Heard({**self.standings, **later.standings}, later.until or self.until)


NOTHING: Final = Heard()


class Feed(ABC, Generic[C]):
    """What is told to one client."""

    topic: str  # whose growth is listened for
    start: C
    shared_by: Hashable = None  # the same for all who are told the same; None: for one alone
    is_public: bool = False  # may be kept, for everybody may read it

    @abstractmethod
    def page(self, cursor: C, heard: Heard) -> Page[C]:
        """What comes after the cursor."""

    @abstractmethod
    def is_read(self, cursor: C) -> bool:
        """Whether the database is asked for that page."""


class GameFeed(Feed[int]):
    """The entries of a game after one, as `viewer` may read them, whom the account plays. Without
    an account: the entries of a public game, as every onlooker may read them."""

    def __init__(self, game: str, account: str | None, viewer: int | None, after: int) -> None:
        self.topic = game
        self.start = after
        self.shared_by = (game, account, viewer)
        self.is_public = account is None
        self._account = account
        self._viewer = viewer

    def page(self, cursor: int, heard: Heard = NOTHING) -> Page[int]:
        """The next entries. When the seat has changed hands, its view ends."""
        lines = selectors.game_log(self.topic, self._viewer, cursor, PAGE)
        if not self._may_read():  # asked after reading: what was read was theirs to read
            return Page([], cursor, is_last=True)
        table = selectors.game_table(self.topic)
        last = lines[-1].seq if lines else cursor
        is_last = table.phase == "over" and last >= table.seq
        items = [Item("entry", str(entry.seq), entry) for entry in map(showing.entry, lines)]
        return Page(items, last, has_more=len(lines) == PAGE, is_last=is_last)

    def is_read(self, cursor: int) -> bool:
        """Always."""
        return True

    def _may_read(self) -> bool:
        try:
            visible_game(self._account, self.topic)
            viewer_of(seats_of(self._account, self.topic), showing.seen_as(self._viewer))
        except (Http404, Refusal):
            return False
        return True
