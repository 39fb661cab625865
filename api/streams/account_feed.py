"""The feed of an account, for its stream of updates: first every game that is not over (or, on
resuming, every game that has grown since a moment), then each game that grows. An update may be
sent twice; it states where the game stands, so a repeat does no harm. A game also grows, for its
owner, when a challenge is declined: the log has no entry of that. If wanted, uses of the account's
recovery codes come before the games of a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils import timezone

from api.shape_responses import format_required_time
from api.shapes.accounts import Recovery
from api.shapes.streams import RecoveryNotice
from api.streams import recovery_notices
from api.streams.account_updates import Position, TimedUpdate, updates_by_account
from api.streams.feeds import NO_UPDATES, PAGE_SIZE, Feed, Page, PendingUpdates
from api.streams.formats import StreamItem
from games.selectors import FollowedGames

RESUME_OVERLAP: Final = timedelta(minutes=1)  # sent again on resuming: commits lag less
CLOCK_SET_BACK_WINDOW: Final = timedelta(days=1)  # sent again if the clock was set back since


class AccountCursor(NamedTuple):
    """The position of a client in the feed of an account."""

    after_game: str | None = ""  # the last game of the first round; None: the round is over
    oldest_growth_at: datetime | None = None  # no game of the first round has last grown before
    complete_until: datetime | None = None  # earlier growth is sent or in `unsent_updates`
    sent_positions: Mapping[str, Position] = {}  # last sent, by game
    unsent_updates: Mapping[str, TimedUpdate] = {}  # later growth, by game
    recoveries: frozenset[Recovery] = frozenset()  # already sent

    def with_updates(self, pending_updates: PendingUpdates) -> AccountCursor:
        """A copy of the cursor that includes these pending updates."""
        moments = [
            moment
            for moment in (self.complete_until, pending_updates.complete_until)
            if moment is not None
        ]
        unsent_updates = {**self.unsent_updates, **pending_updates.by_game}
        return self._replace(
            complete_until=max(moments, default=None), unsent_updates=unsent_updates
        )

    def with_sent(self, sent_updates: Iterable[TimedUpdate]) -> AccountCursor:
        """A copy of the cursor after these updates were sent."""
        positions = {sent.update.game: sent.position for sent in sent_updates}
        cursor = self._replace(sent_positions={**self.sent_positions, **positions})
        unsent_updates = {
            game: timed_update
            for game, timed_update in self.unsent_updates.items()
            if cursor.is_unsent(timed_update)
        }
        return cursor._replace(unsent_updates=unsent_updates)

    def is_unsent(self, timed_update: TimedUpdate) -> bool:
        """Whether the update has more of its game than what was sent."""
        sent = self.sent_positions.get(timed_update.update.game)
        return sent is None or sent.precedes(timed_update.position)

    @property
    def resume_moment(self) -> datetime:
        """All growth before this moment has been sent."""
        moments = [timed_update.at for timed_update in self.unsent_updates.values()]
        return min([self.complete_until or timezone.now(), *moments])


class AccountFeed(Feed[AccountCursor]):
    """The games of an account. The id of an item is a moment: a client that has the item knows
    where every game stands that has not grown since that moment."""

    start_cursor = AccountCursor()

    def __init__(
        self, account: str, since: datetime | None, *, has_recoveries: bool = False
    ) -> None:
        self.topic = account
        self._games = _followed_games(account, since)
        self._has_recoveries, self._since = has_recoveries, since

    def read_page(
        self, cursor: AccountCursor, pending_updates: PendingUpdates = NO_UPDATES
    ) -> Page[AccountCursor]:
        """The next games."""
        cursor = cursor.with_updates(pending_updates)
        unsent = self._unsent_recoveries(cursor)
        cursor = cursor._replace(recoveries=cursor.recoveries.union(unsent))
        page = (
            self._updates_page(cursor)
            if cursor.after_game is None
            else self._first_round_page(cursor)
        )
        items = [StreamItem("recovery", "", RecoveryNotice(recovery)) for recovery in unsent]
        return page._replace(items=[*items, *page.items])

    def is_database_read(self, cursor: AccountCursor) -> bool:
        """In the first round, and always with recoveries; other updates are read once by the hub,
        for all subscribers."""
        return cursor.after_game is not None or self._has_recoveries

    def _unsent_recoveries(self, cursor: AccountCursor) -> list[Recovery]:
        if not self._has_recoveries:
            return []
        recoveries = recovery_notices.notices(self.topic, self._since and _resume_from(self._since))
        return [recovery for recovery in recoveries if recovery not in cursor.recoveries]

    def _first_round_page(self, cursor: AccountCursor) -> Page[AccountCursor]:
        if cursor.oldest_growth_at is None:
            oldest = self._games.oldest_growth()
            started_at = cursor.complete_until or timezone.now()
            cursor = cursor._replace(
                oldest_growth_at=oldest or started_at, complete_until=started_at
            )
        heads = self._games.heads_after(cursor.after_game or "", PAGE_SIZE)
        updates = [timed_update for _, timed_update in updates_by_account(heads, self.topic)]
        updates = [timed_update for timed_update in updates if cursor.is_unsent(timed_update)]
        is_over = len(heads) < PAGE_SIZE
        next_cursor = cursor._replace(after_game=None if is_over else heads[-1].pk).with_sent(
            updates
        )
        assert next_cursor.oldest_growth_at is not None
        items = [
            StreamItem("game", format_required_time(next_cursor.oldest_growth_at), growth)
            for growth, _ in updates
        ]
        if is_over and items:
            items[-1] = items[-1]._replace(id=format_required_time(next_cursor.resume_moment))
        return Page(items, next_cursor, has_more=not is_over or bool(next_cursor.unsent_updates))

    @staticmethod
    def _updates_page(cursor: AccountCursor) -> Page[AccountCursor]:
        updates = list(cursor.with_sent([]).unsent_updates.values())[:PAGE_SIZE]
        next_cursor = cursor.with_sent(updates)
        moment = next_cursor.resume_moment
        items: list[StreamItem] = []
        for timed_update in reversed(updates):  # an item's id must not cover the items after it
            items.append(StreamItem("game", format_required_time(moment), timed_update.update))
            moment = min(moment, timed_update.at)
        return Page(items[::-1], next_cursor, has_more=bool(next_cursor.unsent_updates))


def _followed_games(account: str, since: datetime | None) -> FollowedGames:
    if since is None:
        return FollowedGames(account, None, or_unfinished=True)
    return FollowedGames(account, _resume_from(since), or_unfinished=since > timezone.now())


def _resume_from(since: datetime) -> datetime:
    """A time since which all is sent again, for a client that has everything until then."""
    now = timezone.now()
    if since > now:  # the clock was set back, at an unknown time
        return now - CLOCK_SET_BACK_WINDOW
    return since - RESUME_OVERLAP
