"""`manage.py downgrade`: the database returns to the tables of an earlier release, with every log,
and says first what has no place in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from ai.models import Thought
from config import downgrade
from config.backups import sqlite_file
from config.management.commands.keys import ACCEPT_LOSS_OPTION
from games import position_cache, selectors, services
from games.models import Account, Challenge, Entry, Game
from games.services import SeatAssignment
from release import refusals
from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import Clock
from tests.games.sitting import duel
from tests.support import databases
from tests.support.databases import ROOT, Kept
from tests.versions.stored_games import create_games, play, read_replies

pytestmark = pytest.mark.stores

RELEASES: Final = downgrade.releases()
CLOCK: Final = Clock(60_000, "resign")
FIRST, NEWEST = next(iter(RELEASES)), list(RELEASES)[-1]


def go_back(version: str, *options: str) -> list[str]:
    """The output of the command."""
    output = StringIO()
    call_command("downgrade", version, *options, stdout=output)
    return output.getvalue().splitlines()


def refusal(version: str) -> tuple[list[str], str]:
    """The output of the command, and its complaint."""
    output = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("downgrade", version, stdout=output)
    return output.getvalue().splitlines(), str(refused.value)


def applied() -> set[tuple[str, str]]:
    """The migrations that the database has."""
    return set(MigrationLoader(connection).applied_migrations)


@contextmanager
def another_user(kept: Kept) -> Iterator[None]:
    """A server has the database open in the block."""
    if databases.is_on_server():
        with psycopg.connect(databases.server_url(kept.name)):
            yield
    else:
        with closing(sqlite3.connect(kept.name)) as server:
            server.execute("SELECT count(*) FROM games_game").fetchone()
            yield


@pytest.fixture
def account(kept_here: Kept) -> Account:
    """An account, in a database of this test's own."""
    return Account.objects.create(name="Player")


def haggle(game: str, mood: Random) -> None:
    """A step of the people at a table: they propose, answer, act or leave, or are refused."""
    table = selectors.game_projection(game)
    seats, open_seq = range(table.creation.seats), table.proposal.seq if table.proposal else 1
    seat = mood.choice(seats)
    with suppress(GameRefusal):
        match mood.choice(("propose", "propose", "propose", "answer", "act", "act", "leave")):
            case "propose":
                of: Any = mood.choice(("draw", "end", "pause", "takeback"))
                last = table.takeback_points[-1].seq if table.takeback_points else 4
                services.make_proposal(game, seat, of, last if of == "takeback" else None)
            case "answer":
                answer = mood.choice((services.accept_proposal, services.decline_proposal))
                answer(game, seat, open_seq)
            case "act":
                play(game, 1, seed=mood.randrange(1000))
            case "leave" if mood.random() < 0.3:
                mood.choice((services.resign_seat, partial(services.replace_seat, bot="random")))(
                    game, seat
                )


def create_proposals(account: Account) -> dict[str, str | None]:
    """Running games among three, and their open proposals."""
    for number in range(40):
        mood, third = Random(number), SeatAssignment(account=account)
        if number % 4 == 0:
            third = SeatAssignment(bot="random")
        seating = [SeatAssignment(account=account)] * 2 + [third]
        game = services.create_game("law_of_the_dice", seating, clock=CLOCK).projection.game
        for _ in range(mood.randrange(4, 12)):
            if selectors.game_projection(game).phase == "playing":
                haggle(game, mood)
    proposals = dict(Game.objects.values_list("pk", "proposal"))
    assert sum(text is not None for text in proposals.values()) >= 10
    return proposals


def test_every_log_goes_back_and_comes_again(account: Account, kept_here: Kept) -> None:
    games = list(create_games(account))
    proposals = create_proposals(account)
    unfinished = 8 + Game.objects.filter(phase="playing").exclude(pk__in=games).count()
    Thought(game_id=games[0], known=1, seat=0, bot="greedy", seed=1, simulations=1).keep_wait()
    before = read_replies(account, games)
    entries = [(e.game_id, e.seq, bytes(e.hash).hex()) for e in Entry.objects.order_by("pk")]
    output = go_back(FIRST, ACCEPT_LOSS_OPTION)
    sentence = f"{unfinished} unfinished games have rules that the release lacks"
    assert output[0].startswith(sentence), output
    assert "  1 thoughts: their seq" in output
    with connection.cursor() as cursor:
        cursor.execute("SELECT game_id, seq, hash FROM games_entry ORDER BY game_id, seq")
        assert cursor.fetchall() == entries
    call_command("migrate", verbosity=0)
    position_cache.cache.clear()
    assert read_replies(account, games) == before
    assert dict(Game.objects.values_list("pk", "proposal")) == proposals
    if not databases.is_on_server():
        sqlite_file.check(Path(kept_here.name))  # a table that is made anew has no guards


def test_nothing_changes_before_its_loss_is_accepted(account: Account) -> None:
    Challenge.objects.create(game_id=duel(account), seat=1, account=account)
    before = applied()
    listed, complaint = refusal(FIRST)
    assert listed[-1] == "  1 challenges"
    assert "go back with --accept-loss" in complaint
    assert applied() == before


def test_no_option_is_needed_where_nothing_is_lost(kept_here: Kept) -> None:
    assert go_back(FIRST) == [f"The database has the tables of {FIRST}: install it, and start it."]
    assert set(RELEASES[FIRST].migrations.items()) <= applied()
    assert "The database is older" in refusal(NEWEST)[1]
    call_command("migrate", verbosity=0)
    assert set(RELEASES[NEWEST].migrations.items()) <= applied()


def test_it_is_refused_beside_a_server(kept_here: Kept) -> None:
    before = applied()
    with another_user(kept_here):
        assert "stop the server first" in refusal(FIRST)[1]
    assert applied() == before


@pytest.mark.skipif(databases.is_on_server(), reason="PostgreSQL has no file that is created")
def test_it_creates_no_database(kept_here: Kept) -> None:
    connection.close()
    Path(kept_here.name).unlink()
    assert "There is no database" in refusal(FIRST)[1]
    assert not Path(kept_here.name).exists()


def test_an_unknown_release_is_refused() -> None:
    assert refusal("9.9.9")[1] == f"9.9.9 is none of the releases {', '.join(RELEASES)}."


def test_the_version_of_this_checkout_is_stated() -> None:
    assert refusals.version_in("pyproject.toml") == NEWEST
    assert set(downgrade.APPS) == {path.parent.name for path in ROOT.glob("*/migrations")}
