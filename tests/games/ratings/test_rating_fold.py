"""The ratings are the fold of all rated games, in any order and at any time of arrival."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.db import IntegrityError

from games import ids, services
from games.models import Account, Player, Rating
from games.ratings import finished_games, player_ratings, rating_fold
from games.ratings.skill import Skill, rate_sides
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import Clock
from tests.games.ratings.conftest import SetClock
from tests.games.ratings.contests import PAIRED, SLUG, accounts, begun, given_up, latest, won
from tests.games.sitting import acting, some_action, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def is_good(slug: str = SLUG) -> bool:
    return rating_fold.check_consistency(slug).is_consistent


class TestWhatCounts:
    def test_a_rated_game_that_was_won(self) -> None:
        first, second = accounts(2)
        won(first, second)
        assert rating_fold.count_games(SLUG) == 1
        (above,), (below,) = rate_sides([[Skill()], [Skill()]], [1, 2])
        assert latest() == {first.pk: (1, above.mu), second.pk: (1, below.mu)}
        assert rating_fold.count_games(SLUG) == 0
        assert is_good()

    def test_lost_time_is_a_lost_game(self, clock: SetClock) -> None:
        first, second = accounts(2)
        game = begun([first, second])
        clock(61)
        table = services.expire_clock(game).projection
        assert table.outcome is not None
        rating_fold.count_games(SLUG)
        (winner,) = table.outcome.winners
        assert latest()[[first, second][winner].pk][1] > 25

    def test_bots_by_their_names_until_the_end_of_a_game_by_the_rules(self) -> None:
        game = begun(["random", "greedy", "mcts"])
        for done in acting(game, seed=3):
            last = done.projection
        assert last.outcome is not None
        rating_fold.count_games(SLUG)
        places = {player: mu for player, (_, mu) in latest().items()}
        assert set(places) == {"bot_random", "bot_greedy", "bot_mcts"}
        seats = ["bot_random", "bot_greedy", "bot_mcts"]
        assert {seats[seat] for seat in last.outcome.winners} == {
            player for player, mu in places.items() if mu == max(places.values())
        }
        assert is_good()

    def test_whoever_resigned_is_last_and_no_bot_is_rated_in_their_place(self) -> None:
        players = accounts(3)
        game = given_up(begun(players), 0, 1)
        assert Player.objects.get(game=game, seat=0).bot == "greedy"
        rating_fold.count_games(SLUG)
        ratings = latest()
        assert set(ratings) == {player.pk for player in players}
        assert ratings[players[0].pk] == ratings[players[1].pk] < ratings[players[2].pk]

    def test_not_what_is_not_rated_goes_on_or_was_called_off(self) -> None:
        players = accounts(2)
        given_up(begun(players, rated=False), 1)
        begun(players)
        free = [SeatAssignment(account=players[0]), SeatAssignment()]
        open_game = services.create_game(SLUG, free, **PAIRED).projection.game
        services.call_off_game(open_game)
        assert rating_fold.count_games(SLUG, thoroughly=True) == 0
        assert not finished_games.uncounted_games(SLUG).exists()
        assert rating_fold.check_consistency(SLUG) == rating_fold.ConsistencyReport(0, 0, 0)

    def test_each_rules_by_themselves(self) -> None:
        first, second = accounts(2)
        won(first, second)
        won(second, first, slug="duality")
        for slug in (SLUG, "duality"):
            rating_fold.count_games(slug)
            assert is_good(slug)
        rows = {(row.rules, row.player): row for row in Rating.objects.all()}
        assert rows[SLUG, first.pk].mu == rows["duality", second.pk].mu
        assert [row.rules for row in player_ratings.ratings_of(first.pk)] == ["duality", SLUG]


class TestPartners:
    SLUG = "duel_edged_sword"

    @pytest.fixture(autouse=True)
    def without_chance(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The same cards in every run."""
        names, new_id = count(1), ids.new_id

        def counted_id(prefix: str) -> str:
            return f"game_{next(names):032x}" if prefix == "game" else new_id(prefix)

        monkeypatch.setattr(ids, "new_id", counted_id)
        monkeypatch.setattr("games.services.game_creation.new_secret", lambda: bytes(range(32)))

    def ratings_after_game(self, options: Options, seed: int = 1) -> dict[int, Rating]:
        """The ratings by seat after a game with an account on each seat."""
        players = accounts(4)
        game = begun(players, self.SLUG, options=vars(options))
        rng = FastRng(seed)
        while table_of(game).phase == "playing":
            services.append_action(game, *some_action(table_of(game), rng))
        rating_fold.count_games(self.SLUG)
        assert is_good(self.SLUG)
        seats = {player.pk: seat for seat, player in enumerate(players)}
        return {seats[row.player]: row for row in Rating.objects.filter(game=game)}

    def test_of_one_round_are_a_team(self) -> None:
        ratings = self.ratings_after_game(Options(mode="teams", rounds=1))
        mus = [ratings[seat].mu for seat in range(4)]
        assert mus[0] in (mus[1], mus[3])  # True or False was flipped
        (winner, _), (loser, _) = rate_sides([[Skill()] * 2] * 2, [1, 2])
        assert set(mus) == {winner.mu, loser.mu}

    def test_who_changed_from_round_to_round_stand_for_themselves(self) -> None:
        ratings = self.ratings_after_game(Options(mode="teams", rounds=4))
        (winner, _), (loser, _) = rate_sides([[Skill()] * 2] * 2, [1, 2])
        assert not {winner.mu, loser.mu} & {row.mu for row in ratings.values()}

    def test_a_game_that_turns_out_to_be_together_counts_for_nobody(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Normally it can only be dealt by chance; here the check is disabled."""
        monkeypatch.setattr("games.services.game_creation.check_ratable", lambda *_: None)
        ratings = self.ratings_after_game(Options(mode="collaborative", rounds=1))
        assert {(row.games, row.mu) for row in ratings.values()} == {(0, Skill().mu)}
        assert not player_ratings.leaderboard(self.SLUG).exists()


class TestOrder:
    def test_of_arrival_does_not_matter(
        self, clock: SetClock, games_count: Callable[[int, int], int]
    ) -> None:
        """Games end at random moments, some simultaneous, and are counted in another order."""
        players, chance = accounts(4), FastRng(8)
        for _ in range(games_count(16, 300)):
            clock(int(chance.below(50)))
            two = int(chance.below(4)), int(chance.below(3))
            won(players[two[0]], players[(two[0] + 1 + two[1]) % 4])
            if chance.below(3):
                rating_fold.count_games(SLUG)
                assert is_good()
        rating_fold.count_games(SLUG)
        assert is_good()
        kept = latest()
        rating_fold.delete_ratings(SLUG)
        assert latest() == {}
        assert rating_fold.count_games(SLUG) == games_count(16, 300)
        assert latest() == kept

    def test_it_would_matter_if_late_games_were_simply_added(
        self, clock: SetClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rating_fold, "_undo_from", lambda *_: None)
        first, second = accounts(2)
        clock(10)
        won(first, second)
        rating_fold.count_games(SLUG)
        clock(5)
        won(second, first)
        with pytest.raises(IntegrityError):  # the game already counted is counted again
            rating_fold.count_games(SLUG)

    def test_the_same_at_the_same_moment_goes_by_name(self, clock: SetClock) -> None:
        first, second = accounts(2)
        games = [won(first, second), won(second, first)]
        rating_fold.count_games(SLUG)
        rows = Rating.objects.filter(player=first.pk).order_by("games")
        assert [row.game_id for row in rows] == sorted(games)

    def test_a_game_that_is_very_late_is_found_by_a_thorough_look(self, clock: SetClock) -> None:
        first, second = accounts(2)
        clock(3600)
        won(first, second)
        rating_fold.count_games(SLUG)
        clock(5)
        won(second, first)
        assert rating_fold.count_games(SLUG) == 0
        assert rating_fold.check_consistency(SLUG) == rating_fold.ConsistencyReport(2, 1, 0)
        assert rating_fold.count_games(SLUG, thoroughly=True) == 2
        assert is_good()

    def test_long_stretches_are_counted_in_short_ones(
        self, clock: SetClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rating_fold, "GAMES_PER_TRANSACTION", 2)
        first, second = accounts(2)
        for moment in (30, 20, 40, 10, 50):
            clock(moment)
            won(first, second)
        assert rating_fold.count_games(SLUG) == 5
        assert rating_fold.change_count(SLUG) == 3
        assert is_good()


class TestTwoWhoCountAtOnce:
    """While one process reads the logs, another counts, and more games end."""

    def overtaken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first, second = accounts(2)
        won(first, second)
        load_finished_game, reads = finished_games.load_finished_game, list[str]()

        def load_after_another_game(game: Any) -> Any:
            reads.append(game.pk)
            if len(reads) == 1:
                won(second, first)
                assert rating_fold.count_games(SLUG) == 2
            return load_finished_game(game)

        monkeypatch.setattr(rating_fold, "load_finished_game", load_after_another_game)
        rating_fold.count_games(SLUG)

    def test_the_later_one_begins_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.overtaken(monkeypatch)
        assert is_good()
        assert {games for games, _ in latest().values()} == {2}

    def test_else_games_would_count_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rating_fold, "_claim_change", lambda *_: None)
        with pytest.raises(IntegrityError):
            self.overtaken(monkeypatch)


class TestDeletedAccounts:
    def test_their_rating_vanishes_and_those_of_others_stay(self) -> None:
        deleted, remaining, third = accounts(3)
        for _ in range(3):
            won(deleted, remaining)
        won(third, remaining)
        rating_fold.count_games(SLUG)
        before = latest()
        deleted.delete()
        assert [row.player for row in player_ratings.leaderboard(SLUG)] == [third.pk, remaining.pk]
        rating_fold.delete_ratings(SLUG)
        rating_fold.count_games(SLUG)
        assert latest() == before
        assert is_good()

    def test_a_running_game_of_theirs_counts_for_whoever_is_left(self, clock: SetClock) -> None:
        deleted, remaining = accounts(2)
        won(deleted, remaining)
        rating_fold.count_games(SLUG)
        game = begun([deleted, remaining])
        deleted.delete()
        given_up(game, 1)
        rating_fold.count_games(SLUG)
        assert is_good()
        assert latest()[remaining.pk][0] == 2

    def test_a_new_name_is_a_name(self) -> None:
        first, second = accounts(2)
        won(first, second)
        rating_fold.count_games(SLUG)
        Account.objects.filter(pk=first.pk).update(name="Another")
        assert [row.name for row in player_ratings.leaderboard(SLUG)] == ["Another", second.name]  # type: ignore[attr-defined]
        assert is_good()


class TestTampering:
    """A rating that was altered, lost or invented is found and repaired."""

    @pytest.mark.parametrize(
        "tamper",
        [
            lambda rows: rows.filter(games=1).update(mu=26.0),
            lambda rows: rows.filter(games=2).update(games=3),
            lambda rows: rows.filter(games=2).delete(),
            lambda rows: rows.filter(is_latest=True).update(is_latest=False),
            lambda rows: rows.filter(games=1).update(player="bot_none"),
        ],
        ids=["mu", "games", "lost", "latest", "player"],
    )
    def test_it_is_found(self, tamper: Callable[[Any], Any]) -> None:
        first, second = accounts(2)
        won(first, second)
        won(first, second)
        rating_fold.count_games(SLUG)
        before = latest()
        tamper(Rating.objects.filter(player=first.pk))
        assert not is_good()
        rating_fold.delete_ratings(SLUG)
        rating_fold.count_games(SLUG)
        assert is_good()
        assert latest() == before


class TestWhatMayNotBeRated:
    def refusal(self, *players: Account | str, slug: str = SLUG, **options: Any) -> str:
        with pytest.raises(GameRefusal) as caught:
            begun(players, slug, **options)
        return caught.value.code

    def test_without_a_clock_that_ends_it(self) -> None:
        first, second = accounts(2)
        assert self.refusal(first, second, clock=None) == "rated-clock"
        assert self.refusal(first, second, clock=Clock(60_000)) == "rated-clock"

    def test_one_player_on_two_seats(self) -> None:
        (one,) = accounts(1)
        assert self.refusal(one, one) == "rated-twice"
        assert self.refusal("greedy", "greedy") == "rated-twice"

    def test_one_player_who_joins_twice(self) -> None:
        first, second = accounts(2)
        seating = [SeatAssignment(account=first), SeatAssignment()]
        game = services.create_game(SLUG, seating, **PAIRED).projection.game
        with pytest.raises(GameRefusal, match="every player has one seat"):
            services.join_game(game, 1, account=first)
        assert services.join_game(game, 1, account=second).projection.phase == "playing"

    def test_the_database_refuses_it_too(self) -> None:
        (one,) = accounts(1)
        game = begun([one, "greedy"])
        with pytest.raises(IntegrityError):
            Player.objects.create(game_id=game, seat=5, account=one, rated_as=one.pk)

    @pytest.mark.parametrize("mode", ["flipped", "combative", "collaborative", "teams"])
    def test_a_table_at_which_all_win_together(self, mode: str) -> None:
        players = accounts(4)
        slug, options = "duel_edged_sword", {"options": {"mode": mode}}
        if mode == "collaborative":
            assert self.refusal(*players, slug=slug, **options) == "rated-together"
        else:
            begun(players, slug, **options)
