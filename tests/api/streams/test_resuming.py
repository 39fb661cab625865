"""An account misses nothing if its stream is cut after any item and resumed from the item's id."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.utils import timezone

from api.streams import account_feed
from api.streams.account_feed import AccountCursor, AccountFeed
from api.streams.account_updates import updates_of_games
from api.streams.feeds import NO_UPDATES, PendingUpdates
from api.streams.formats import StreamItem
from games import selectors, services
from tests.api.world import World

pytestmark = pytest.mark.stores

GAMES: Final = 5


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """No overlap when resuming, and short pages."""
    monkeypatch.setattr(account_feed, "RESUME_OVERLAP", timedelta(0))
    monkeypatch.setattr(account_feed, "PAGE_SIZE", 2)
    return World()


def pending_updates(account: str, games: list[str]) -> PendingUpdates:
    """The updates that a hub passes on for games that have grown."""
    now = timezone.now()
    updates = {
        one.update.game: one for account_id, one in updates_of_games(games) if account_id == account
    }
    return PendingUpdates(updates, now)


def stream_items(world: World, games: list[str], *, are_played: bool) -> Iterator[StreamItem]:
    """The items of a stream; if the games are played, one of them grows after each page."""
    feed, remaining = AccountFeed(world.ada.pk, None), list(games)
    cursor, has_more, news = feed.start_cursor, True, NO_UPDATES
    while has_more:
        page = feed.read_page(cursor, news)
        yield from page.items
        cursor, has_more, news = page.cursor, page.has_more, NO_UPDATES
        if are_played and remaining:
            services.resign_seat(remaining[0], 1)
            news, has_more = pending_updates(world.ada.pk, [remaining.pop(0)]), True


def seqs_after_resuming(world: World, id_: str) -> dict[str, int]:
    """The seq of each game in a stream that resumes from that id."""
    feed = AccountFeed(world.ada.pk, datetime.fromisoformat(id_))
    cursor, has_more, seqs = feed.start_cursor, True, dict[str, int]()
    while has_more:
        page = feed.read_page(cursor, NO_UPDATES)
        seqs |= {item.shape.game: item.shape.seq for item in page.items}
        cursor, has_more = page.cursor, page.has_more
    return seqs


@pytest.mark.parametrize("are_played", [False, True])
def test_nothing_is_missed_whichever_item_is_the_last(world: World, are_played: bool) -> None:
    games = sorted(world.playing() for _ in range(GAMES))
    seqs: dict[str, int] = {}
    for item in stream_items(world, games, are_played=are_played):
        seqs[item.shape.game] = item.shape.seq
        known_seqs = seqs | seqs_after_resuming(world, item.id)
        for game in games:
            assert known_seqs.get(game) == head(game)
    assert set(seqs) == set(games)


def head(game: str) -> int:
    """The seq of the last entry of a game."""
    return selectors.game_projection(game).seq


def test_an_id_from_the_future_tells_all_that_may_have_been_missed(world: World) -> None:
    running, over = world.playing(), world.over()
    tomorrow = timezone.now() + timedelta(days=1)
    assert set(seqs_after_resuming(world, tomorrow.isoformat())) == {running, over}


def test_what_is_heard_later_replaces_what_was_heard_before(world: World) -> None:
    game = world.playing()
    before = pending_updates(world.ada.pk, [game])
    services.resign_seat(game, 1)
    merged = before.merge(pending_updates(world.ada.pk, [game]))
    feed = AccountFeed(world.ada.pk, None)
    page = feed.read_page(AccountCursor(after_game=None), merged)
    assert [item.shape.seq for item in page.items] == [6]
    again: Any = feed.read_page(page.cursor, before)  # old updates are not sent again
    assert not again.items
