"""Thoughts of bots: told after the end to whoever may see the game, and found by a worker once."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from ai import bot_registry
from ai.analysis import analysis_completion, part_worker
from ai.models import Analysis, Part, Thought
from api.limits import rate_limiting
from games import selectors, services
from tests.api.program import Program
from tests.api.test_matrix import assert_refused, without_identity
from tests.api.world import BASE, World

ENTRY = 6  # of the bot, in the games of these tests


def ask(program: Program, game: str, seq: int = ENTRY) -> Any:
    """Ask for the thought of the bot; the response."""
    return program.get(f"{BASE}/games/{game}/log/{seq}/thought")


def work() -> None:
    """Let the workers finish all searches."""
    for analysis in Analysis.objects.filter(state=Analysis.State.WAITING):
        for number in range(Part.objects.filter(analysis=analysis).count()):
            part_worker.work_on_part(analysis.pk, number)


def offer_count(game: str) -> int:
    """The number of actions from which the bot chose."""
    table, seat = selectors.game_projection(game, ENTRY - 1), Thought.objects.get(game=game).seat
    choice = selectors.seat_choice(table, seat, is_bot=True)
    assert choice is not None
    return len(choice.offers)


class TestAThought:
    def test_of_a_bot_that_looks_ahead_is_told_at_once(self, world: World) -> None:
        game = world.thought_over()
        response = ask(world.as_eve, game)
        document = response.json()
        thought = Thought.objects.get()
        facts = {name: document[name] for name in ("game", "seq", "seat", "bot", "known", "state")}
        assert facts == {
            "game": game,
            "seq": ENTRY,
            "seat": thought.seat,
            "bot": "greedy",
            "known": ENTRY - 1,
            "state": "done",
        }
        assert (document["seed"], document["digest"]) == (str(thought.seed), thought.digest)
        findings = document["findings"]
        assert (findings["method"], findings["is_same"]) == ("greedy", True)
        assert findings["is_calibrated"] is False
        entry = world.as_eve.get(document["links"]["entry"]).json()
        assert findings["chosen"]["action"] == entry["action"]
        assert "immutable" in response["Cache-Control"]
        assert not Analysis.objects.exists()

    def test_leads_to_what_the_bot_saw(self, world: World) -> None:
        document = ask(world.as_eve, world.thought_over()).json()
        state = world.as_eve.get(document["links"]["view"]).json()
        assert (state["seq"], state["seen_as"]) == (document["known"], f"seat:{document['seat']}")
        assert world.as_eve.get(document["links"]["self"]).json() == document

    def test_of_a_bot_that_draws_lots_weighs_nothing(self, world: World) -> None:
        findings = ask(world.as_ada, world.thought_over("random")).json()["findings"]
        assert (findings["method"], findings["actions"]) == ("random", [])
        assert findings["chosen"]["label"]
        assert (findings["chosen"]["visits"], findings["chosen"]["value"]) == (None, None)

    def test_of_a_search_is_found_by_a_worker(self, world: World) -> None:
        game = world.searched_over()
        pending = ask(world.as_eve, game)
        assert pending.status_code == 200
        assert (pending.json()["state"], pending.json()["findings"]) == ("waiting", None)
        assert "immutable" not in pending["Cache-Control"]
        work()
        done = ask(world.as_eve, game)
        document = done.json()
        assert document["state"] == "done"
        assert "immutable" in done["Cache-Control"]
        findings = document["findings"]
        assert (document["bot"], findings["method"]) == ("level_3", "mcts")
        assert findings["is_same"]
        assert findings["chosen"] == findings["actions"][0]
        visits = [action["visits"] for action in findings["actions"]]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) >= document["simulations"] > 0
        assert all(0 <= action["value"] <= 1000 for action in findings["actions"])

    def test_that_was_found_is_there_for_all(self, world: World) -> None:
        game = world.searched_over()
        assert ask(world.as_eve, game).json()["state"] == "waiting"
        assert ask(world.as_ada, game).json()["state"] == "waiting"
        assert Analysis.objects.count() == 1
        work()
        assert ask(world.as_eve, game).json() == ask(world.as_ada, game).json()
        assert Analysis.objects.count() == 1

    def test_that_nobody_has_found_in_time_can_be_asked_for_again(self, world: World) -> None:
        game = world.searched_over()
        ask(world.as_eve, game)
        Analysis.objects.update(deadline=timezone.now())
        assert analysis_completion.end_overdue_analyses() == 1
        assert Analysis.objects.get().state == Analysis.State.FAILED
        assert ask(world.as_eve, game).json()["state"] == "waiting"
        work()
        assert ask(world.as_eve, game).json()["state"] == "done"

    def test_that_was_altered_is_not_the_same(self, world: World) -> None:
        game = world.thought_over("random")
        while offer_count(game) == 1:
            game = world.thought_over("random")
        assert ask(world.as_ada, game).json()["findings"]["is_same"]

        def is_same(seed: int) -> bool:
            Thought.objects.filter(game=game).update(seed=seed)
            return bool(ask(world.as_ada, game).json()["findings"]["is_same"])

        assert not all(map(is_same, range(1000)))


class TestBeforeTheEnd:
    def test_nothing_is_told_about_any_entry(self, world: World) -> None:
        game = world.thinking()
        refusals = [
            without_identity(assert_refused(ask(program, game, seq), "not-over"))
            for program in (world.as_ada, world.as_bob, world.as_eve)
            for seq in (1, 5, ENTRY, 999)
        ]
        assert refusals[1:] == refusals[:-1]
        assert not Analysis.objects.exists()

    def test_nothing_is_told_about_a_game_that_has_not_started(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.gathering(), 1), "not-over")


class TestAnEntryThatNoBotMade:
    @pytest.mark.parametrize("seq", [1, 4, 5, ENTRY + 1])
    def test_has_no_thought(self, world: World, seq: int) -> None:
        assert_refused(ask(world.as_ada, world.thought_over(), seq), "no-thought")

    def test_by_a_player_has_no_thought(self, world: World) -> None:
        game = world.game_after(1)
        services.resign_seat(game, 1)
        assert_refused(ask(world.as_ada, game, 5), "no-thought")

    def test_elsewhere_has_no_thought(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.imported_game(), 5), "no-thought")

    @pytest.mark.parametrize("seq", [0, 999])
    def test_is_unknown_if_the_log_has_none(self, world: World, seq: int) -> None:
        assert_refused(ask(world.as_ada, world.thought_over(), seq), "unknown-entry")


class TestOtherCode:
    def test_cannot_repeat_the_decision(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        games = [world.thought_over(), world.searched_over()]
        monkeypatch.setattr(
            bot_registry, "equal_code_digests", lambda slug, version: frozenset(["f" * 64])
        )
        for game in games:
            problem = assert_refused(ask(world.as_ada, game), "code-changed")
            assert Thought.objects.get(game=game).digest in problem["detail"]
        assert not Analysis.objects.exists()

    def test_leaves_what_was_found_before(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = world.searched_over()
        ask(world.as_ada, game)
        work()
        document = ask(world.as_ada, game).json()
        monkeypatch.setattr(
            bot_registry, "equal_code_digests", lambda slug, version: frozenset(["f" * 64])
        )
        assert ask(world.as_ada, game).json() == document


class TestLimits:
    def test_so_many_may_be_searched_for_at_once(
        self, world: World, settings: LazySettings
    ) -> None:
        settings.ANALYSES_EACH = 1
        first, second = world.searched_over(), world.searched_over()
        assert ask(world.as_eve, first).json()["state"] == "waiting"
        assert_refused(ask(world.as_eve, second), "too-many-analyses")
        assert ask(world.as_eve, first).json()["state"] == "waiting"
        assert ask(world.as_ada, second).json()["state"] == "waiting"
        work()
        assert ask(world.as_eve, second).json()["state"] == "done"

    def test_to_ask_counts_as_to_create(
        self, world: World, settings: LazySettings, broker: str
    ) -> None:
        settings.REDIS_URL = broker
        rate_limiting.configured_buckets.cache_clear()
        game = world.thought_over()
        settings.LIMITS = {"create": (2, 600), "read": (99, 60)}
        assert [ask(world.as_eve, game).status_code for _ in range(3)] == [200, 200, 429]
        assert world.as_eve.get(f"{BASE}/games/{game}").status_code == 200
        rate_limiting.configured_buckets.cache_clear()

    def test_it_is_no_analysis_of_a_client(self, world: World) -> None:
        game = world.searched_over()
        ask(world.as_eve, game)
        name = Analysis.objects.get().pk
        assert_refused(world.as_eve.get(f"{BASE}/analyses/{name}"), "not-found")
        assert_refused(world.as_eve.delete(f"{BASE}/analyses/{name}"), "not-found")
        assert world.as_eve.get(f"{BASE}/games/{game}/analyses").json()["items"] == []
