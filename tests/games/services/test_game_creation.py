"""The creation of a game: created, joined, seeds opened, forked, called off."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.models import Account, Game, Player
from games.services import AppendResult, SeatAssignment, create_game, fork_game, join_game
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.random_games import play
from tabularium_engines.promises.variants import tables
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import Clock
from tests.games.sitting import (
    BOTS,
    SEED,
    SLUG,
    act,
    acting,
    bot_game,
    hash_of,
    seed_hash,
    stored_entries,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture
def ada() -> Account:
    """A player's account."""
    return Account.objects.create(name="Ada")


def players(game: str) -> list[tuple[int, str | None, str]]:
    """The seat, account and bot of each row."""
    rows = Player.objects.filter(game=game).order_by("seat")
    return [(row.seat, row.account_id, row.bot) for row in rows]


def code_of(caught: pytest.ExceptionInfo[GameRefusal]) -> str:
    """The code of a refusal."""
    return caught.value.code


class TestCreating:
    def test_a_full_table_starts_at_once(self, ada: Account) -> None:
        appended = create_game(SLUG, [SeatAssignment(account=ada), *BOTS], owner=ada)
        game = Game.objects.get(pk=appended.projection.game)
        assert (game.phase, game.seq, game.seats, game.owner) == ("playing", 5, 3, ada)
        assert game.bots == 0b110
        assert players(game.pk) == [(0, ada.pk, ""), (1, None, "random"), (2, None, "greedy")]
        types = [table.entry.action["type"] for table in selectors.game_projections(game.pk)]
        assert types == ["table.create", *["table.join"] * 3, "table.start"]

    def test_nobody_is_named_in_the_log(self, ada: Account) -> None:
        game = create_game(SLUG, [SeatAssignment(account=ada), *BOTS], owner=ada).projection.game
        texts = "".join(entry.text for entry in stored_entries(game))
        assert ada.pk not in texts
        assert ada.name not in texts

    def test_an_account_may_go_and_the_log_stays(self, ada: Account) -> None:
        game = create_game(SLUG, [SeatAssignment(account=ada), *BOTS], owner=ada).projection.game
        ada.delete()
        assert players(game)[0] == (0, None, "")
        assert selectors.game_projection(game).phase == "playing"

    def test_the_secret_is_locked_and_different_each_time(self) -> None:
        games = [Game.objects.get(pk=bot_game()) for _ in range(3)]
        assert len({bytes(game.secret) for game in games}) == 3
        for game in games:
            secret = selectors.game_position(game.pk).secret
            assert secret not in bytes(game.secret)

    def test_what_cannot_be_created_leaves_nothing(self) -> None:
        with pytest.raises(GameRefusal, match="no ruleset chess"):
            create_game("chess", BOTS)
        with pytest.raises(GameRefusal, match="is for 2 to 6 players, not 0"):
            create_game(SLUG, [])
        with pytest.raises(MalformedDocument, match="points_to_win"):
            create_game(SLUG, BOTS, options={"points_to_win": "many"})
        with pytest.raises(GameRefusal, match="64 lower-case hexadecimal digits"):
            create_game(SLUG, [*BOTS, SeatAssignment(bot="random", seed_hash="short")])
        assert not Game.objects.exists()


class TestGathering:
    def test_the_last_to_join_starts_the_game(self, ada: Account) -> None:
        game = create_game(SLUG, [SeatAssignment(), SeatAssignment()]).projection.game
        join_game(game, 0, account=ada)
        services.leave_game(game, 0)
        assert players(game) == []
        join_game(game, 1, account=ada)
        appended = join_game(game, 0, bot="greedy")
        assert appended.projection.phase == "playing"
        assert players(game) == [(0, None, "greedy"), (1, ada.pk, "")]

    def test_a_taken_seat_stays_taken(self, ada: Account) -> None:
        game = create_game(SLUG, [SeatAssignment(account=ada), SeatAssignment()]).projection.game
        with pytest.raises(GameRefusal) as caught:
            join_game(game, 0, bot="greedy")
        assert code_of(caught) == "seat-taken"
        assert players(game) == [(0, ada.pk, "")]

    def test_the_last_seed_starts_the_game(self, ada: Account) -> None:
        seating = [SeatAssignment(account=ada, seed_hash=seed_hash()), *BOTS]
        game = create_game(SLUG, seating).projection.game
        assert selectors.game_projection(game).phase == "gathering"
        appended = services.open_seed(game, 0, SEED)
        assert (appended.projection.phase, appended.projection.fairness_level) == ("playing", 2)

    def test_only_what_has_not_started_is_called_off(self, ada: Account) -> None:
        game = create_game(SLUG, [SeatAssignment(account=ada), SeatAssignment()]).projection.game
        assert services.call_off_game(game).projection.phase == "over"
        with pytest.raises(GameRefusal):
            services.call_off_game(game)
        with pytest.raises(GameRefusal) as caught:
            services.call_off_game(bot_game())
        assert code_of(caught) == "started"


def finished_game(seed: int = 1) -> Projection:
    """A game played to its end."""
    *_, last = acting(bot_game(), seed)
    return last.projection


def same_position(fork: AppendResult, game: str, seq: int) -> bool:
    """Whether the fork starts from the state after that entry."""
    states = [fork.projection.state, selectors.game_projection(game, seq).state]
    assert states[0] is not None
    assert states[1] is not None
    return bool(states[0].contents() == states[1].contents())


class TestForking:
    def test_a_game_that_is_over_forks_anywhere(self) -> None:
        table = finished_game()
        for seq in range(4, table.seq - 1, 7):
            fork = fork_game(table.game, seq, BOTS)
            assert same_position(fork, table.game, seq)
            origin = fork.projection.creation.origin
            assert origin is not None
            assert (origin.game, origin.seq, origin.seat) == (table.game, seq, None)
            assert origin.hash == hash_of(table.game, seq)
            *_, end = acting(fork.projection.game, seq)
            assert end.projection.phase == "over"

    def test_a_fork_can_be_forked(self) -> None:
        table = finished_game()
        middle = fork_game(table.game, table.seq // 2, BOTS).projection.game
        *_, last = acting(middle, 9)
        seq = last.projection.seq - 3
        fork = fork_game(middle, seq, BOTS)
        assert same_position(fork, middle, seq)
        assert fork.projection.entry.action["position"]["position"] is None, "one way, not two"

    def test_a_running_game_forks_from_what_a_seat_knows(self, ada: Account) -> None:
        game = bot_game()
        rng = FastRng(2)
        for _ in range(6):
            table = act(game, selectors.game_projection(game), rng).projection
        true_state = table.state
        assert true_state is not None
        deals = []
        for _ in range(5):
            fork = fork_game(game, table.seq, BOTS, seat=1, owner=ada)
            assert Game.objects.get(pk=fork.projection.game).visibility == "private"
            assert fork.projection.state is not None
            assert table.engine.view(fork.projection.state, 1) == table.engine.view(true_state, 1)
            deals.append(str(fork.projection.state.contents()))
            *_, last = acting(fork.projection.game)
            assert last.projection.phase == "over"
        assert len({*deals, str(true_state.contents())}) > 3

    def test_such_a_fork_does_not_tell_the_others_what_the_seat_knew(self) -> None:
        game = bot_game()
        fork = fork_game(game, 4, BOTS, seat=1)
        for viewer in (None, 0, 1):
            start = selectors.game_log(fork.projection.game, viewer)[3]
            assert '"type":"table.start"' in start.text
            assert '"position"' not in start.text
            assert start.readable_fields == {}
        assert [*acting(fork.projection.game)][-1].projection.phase == "over"
        readable_fields = selectors.game_log(fork.projection.game, None)[3].readable_fields
        view = selectors.game_view(game, 1, 4)
        assert readable_fields["/action/position"] == json_codec.to_json(view)

    def test_a_fork_of_such_a_fork(self) -> None:
        first = fork_game(bot_game(), 4, BOTS, seat=1).projection.game
        *_, last = acting(first)
        seq = last.projection.seq - 3
        assert same_position(fork_game(first, seq, BOTS), first, seq)

    def test_what_cannot_be_forked(self) -> None:
        game, table = bot_game(), finished_game()
        refusals = [
            (game, 4, BOTS, None, "not-over"),
            (game, 2, BOTS, 0, "not-started"),
            (game, 99, BOTS, 0, "unknown-entry"),
            (game, 0, BOTS, 0, "unknown-entry"),
            (game, 4, BOTS, 2, "unknown-seat"),
            (game, 4, BOTS, -1, "unknown-seat"),
            (game, 4, BOTS[:1], 0, "wrong-seats"),
            (game, 4, [SeatAssignment(), SeatAssignment()], 0, "wrong-seats"),
            (table.game, table.seq, BOTS, None, "game-over"),
            (table.game, table.seq - 1, BOTS, None, "game-over"),
        ]
        for of, seq, seating, seat, code in refusals:
            with pytest.raises(GameRefusal) as caught:
                fork_game(of, seq, seating, seat=seat)
            assert code_of(caught) == code

    def test_the_clock_goes_along(self) -> None:
        clock = Clock(60_000, "random")
        game = bot_game(clock=clock)
        assert fork_game(game, 4, BOTS, seat=0).projection.creation.clock == clock


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize("slug", ENGINES)
def test_a_view_is_the_same_after_a_journey_through_json(slug: str) -> None:
    for table in tables(ENGINES[slug])[::3]:
        game = play(table.engine, table.options, table.seats, 1)
        for position in game.sample(10):
            for seat in (*range(table.seats), None):
                view = table.engine.view(position.state, seat)
                assert json_codec.from_json(type(view), json_codec.to_json(view)) == view
