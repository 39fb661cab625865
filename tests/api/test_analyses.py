"""Analyses by bots: who may request which ones, and that they reveal nothing hidden."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from ai import bot_registry
from ai.analysis import analysis_completion, part_worker
from ai.models import Analysis, Part
from games import selectors, services
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program
from tests.api.test_matrix import assert_refused, without_identity
from tests.api.world import BASE, World

FEW = 60  # simulations


@pytest.fixture(autouse=True)
def two_parts(settings: LazySettings) -> None:
    """Split each analysis between two workers, on any machine."""
    settings.PARTS = 2


def ask(program: Program, game: str, **body: Any) -> Any:
    """Request an analysis; the response."""
    return program.send(f"{BASE}/games/{game}/analyses", {"simulations": FEW} | body)


def finish_analysis(program: Program, response: Any) -> dict[str, Any]:
    """The analysis after all its workers have run."""
    analysis: dict[str, Any] = response.json()
    for number in range(Part.objects.filter(analysis=analysis["id"]).count()):
        part_worker.work_on_part(analysis["id"], number)
    finished_analysis: dict[str, Any] = program.get(analysis["links"]["self"]).json()
    return finished_analysis


def seat_awaited(game: str, seq: int | None = None) -> int:
    """The seat that must decide."""
    table = selectors.game_projection(game, seq)
    return table.engine.awaited_seats(table.state)[0]


def game_with_choice(world: World) -> str:
    """A game that waits for Ada, who has several promising actions."""
    while True:
        game = world.awaiting(hints=True)
        state: Any = selectors.game_projection(game).state
        if len(state.promising_actions(0)) > 1:
            return game


def finished_game(world: World, steps: int = 12) -> str:
    """A game that was resigned after some actions."""
    game = world.game_after(steps)
    services.resign_seat(game, 1)
    return game


class TestAPosition:
    def test_is_answered_with_the_best_actions(self, world: World) -> None:
        game = game_with_choice(world)
        response = ask(world.as_ada, game)
        pending = response.json()
        assert response.status_code == 202
        assert response["Location"] == pending["links"]["self"]
        assert (pending["state"], pending["seat"], pending["about"]) == ("waiting", 0, "position")
        assert pending["seq"] == selectors.game_projection(game).seq - 1  # the hint
        assert pending["progress"] == {"done": 0, "of": 1}
        analysis = finish_analysis(world.as_ada, response)
        assert (analysis["state"], analysis["progress"], analysis["review"]) == ("done", None, None)
        position = analysis["position"]
        assert (position["simulations"], position["is_partial"]) == (FEW, False)
        visits = [action["visits"] for action in position["actions"]]
        assert visits == sorted(visits, reverse=True)
        assert sum(part["simulations"] for part in position["parts"]) == FEW

    def test_every_action_is_ready_to_be_sent(self, world: World) -> None:
        game = game_with_choice(world)
        best = finish_analysis(world.as_ada, ask(world.as_ada, game))["position"]["actions"][0]
        choice = world.as_ada.get(f"{BASE}/games/{game}/choice").json()
        actions = {offer["label"]: offer["action"] for offer in choice["offers"]}
        assert actions[best["label"]] == best["action"]
        body = {"seat": 0, "choice": choice["token"], "action": best["action"]}
        assert world.as_ada.send(f"{BASE}/games/{game}/actions", body).status_code == 201

    def test_is_spread_over_several_workers(self, world: World) -> None:
        analysis = finish_analysis(
            world.as_ada, ask(world.as_ada, game_with_choice(world), simulations=501)
        )
        parts = analysis["position"]["parts"]
        assert [part["simulations"] for part in parts] == [250, 251]
        assert len({part["seed"] for part in parts}) == 2

    def test_may_lie_in_the_past(self, world: World) -> None:
        game = world.game_after(12, hints=True)
        seat = seat_awaited(game, 9)
        program = (world.as_ada, world.as_bob)[seat]
        analysis = finish_analysis(program, ask(program, game, seq=9))
        assert (analysis["seq"], analysis["seat"], analysis["state"]) == (9, seat, "done")

    def test_of_a_rated_game_is_refused_while_it_goes_on(self, world: World) -> None:
        game = world.playing(clock=Clock(60_000, "resign"), rated=True)
        seat = seat_awaited(game)
        who = (world.as_ada, world.as_bob)[seat]
        assert_refused(ask(who, game, seat=seat), "rated-running")
        assert_refused(ask((world.as_bob, world.as_ada)[seat], game, seat=seat), "not-your-seat")
        assert not Analysis.objects.exists()

    @pytest.mark.parametrize("who", ["bob", "eve"])
    def test_of_somebody_else_is_refused_while_the_game_goes_on(
        self, world: World, who: str
    ) -> None:
        game = game_with_choice(world)
        program: Program = getattr(world, f"as_{who}")
        before = without_identity(assert_refused(ask(program, game, seat=0), "not-your-seat"))
        analysis = ask(world.as_ada, game).json()
        finish_analysis(world.as_ada, ask(world.as_ada, game))
        assert (
            without_identity(assert_refused(ask(program, game, seat=0), "not-your-seat")) == before
        )
        page = program.get(f"{BASE}/games/{game}/analyses").json()
        assert page == {"items": [], "next_cursor": None}
        problem = assert_refused(program.get(analysis["links"]["self"]), "not-found")
        unknown = assert_refused(program.get(f"{BASE}/analyses/analysis_0"), "not-found")
        assert without_identity(problem) == without_identity(unknown)
        assert_refused(program.delete(analysis["links"]["self"]), "not-found")

    def test_of_anybody_is_open_once_the_game_is_over(self, world: World) -> None:
        game = finished_game(world)
        seat = seat_awaited(game, 6)
        analysis = finish_analysis(world.as_eve, ask(world.as_eve, game, seat=seat, seq=6))
        assert analysis["state"] == "done"
        assert world.as_nobody.get(analysis["links"]["self"]).json() == analysis

    def test_is_hidden_with_a_private_game(self, world: World) -> None:
        game = world.over(visibility="private")
        analysis = ask(world.as_ada, game, seat=seat_awaited(game, 4), seq=4).json()
        assert world.as_bob.get(analysis["links"]["self"]).status_code == 200
        assert_refused(world.as_eve.get(analysis["links"]["self"]), "not-found")

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"seq": 999}, "unknown-entry"),
            ({"seq": 0}, "unknown-entry"),
            ({"seq": 3}, "not-started"),
            ({"seat": 1}, "not-your-seat"),
            ({"seat": -1}, "invalid-body"),
            ({"simulations": 0}, "invalid-body"),
            ({"simulations": 50_001}, "invalid-body"),
            ({"about": "everything"}, "invalid-body"),
        ],
        ids=str,
    )
    def test_that_cannot_be_asked_about(
        self, world: World, body: dict[str, Any], code: str
    ) -> None:
        assert_refused(ask(world.as_ada, game_with_choice(world), **body), code)

    def test_in_which_the_seat_has_nothing_to_decide(self, world: World) -> None:
        game = world.playing()
        waits = 1 - seat_awaited(game)
        assert_refused(ask((world.as_ada, world.as_bob)[waits], game), "not-your-turn")

    def test_at_the_end_there_is_nothing_left(self, world: World) -> None:
        game = world.over()
        assert_refused(ask(world.as_ada, game), "game-over")
        assert_refused(ask(world.as_ada, game, seat=7, seq=4), "unknown-seat")

    def test_whoever_does_not_play_says_which_seat(self, world: World) -> None:
        problem = assert_refused(ask(world.as_eve, world.over(), seq=4), "invalid-question")
        assert problem["errors"][0]["pointer"] == "/seat"

    def test_that_a_bot_has_to_decide_is_its_own_affair(self, world: World) -> None:
        analysis = ask(world.as_ada, game_with_choice(world)).json()
        Analysis.objects.update(bot="mcts")
        assert_refused(world.as_ada.get(analysis["links"]["self"]), "not-found")
        assert_refused(world.as_ada.delete(analysis["links"]["self"]), "not-found")
        assert world.as_ada.get(f"{analysis['links']['game']}/analyses").json()["items"] == []


class TestAGame:
    def test_has_a_loss_for_every_decision(self, world: World) -> None:
        game = finished_game(world)
        response = ask(world.as_eve, game, about="game")
        assert response.json()["progress"]["of"] == 12
        analysis = finish_analysis(world.as_eve, response)
        review = analysis["review"]
        log = world.as_ada.get(f"{BASE}/games/{game}/log").json()["items"]
        for decision in review["decisions"]:
            entry = log[decision["entry"] - 1]
            assert (entry["seat"], entry["action"]) == (decision["seat"], decision["action"])
            if decision["best"] == decision["action"] and decision["simulations"]:
                assert decision["loss"] == 0
            elif decision["loss"] is not None:
                best, value = decision["best_value"], decision["value"]
                assert decision["loss"] == max(0, best - value)
        assert len(review["decisions"]) == 12
        assert sum(seat["decisions"] for seat in review["seats"]) == 12
        for seat in review["seats"]:
            seat_losses = [
                one["loss"] for one in review["decisions"] if one["seat"] == seat["seat"]
            ]
            losses = [loss for loss in seat_losses if loss is not None]
            assert (seat["decisions"], seat["compared"]) == (len(seat_losses), len(losses))
            assert seat["mean_loss"] == (round(sum(losses) / len(losses)) if losses else None)
        assert not review["is_partial"]

    def test_has_progress(self, world: World) -> None:
        pending = ask(world.as_ada, finished_game(world), about="game").json()
        part_worker.work_on_part(pending["id"], 0)
        analysis = world.as_ada.get(pending["links"]["self"]).json()
        assert analysis["progress"] == {"done": 1, "of": 12}

    def test_without_a_decision_is_done_at_once(self, world: World) -> None:
        analysis = ask(world.as_ada, world.over(), about="game").json()
        assert (analysis["state"], analysis["review"]["decisions"]) == ("done", [])

    def test_that_goes_on_is_refused(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.playing(), about="game"), "not-over")

    @pytest.mark.parametrize("more", [{"seat": 0}, {"seq": 4}, {"simulations": 5_001}], ids=str)
    def test_takes_nothing_that_it_would_ignore(self, world: World, more: dict[str, Any]) -> None:
        problem = assert_refused(
            ask(world.as_ada, world.over(), about="game", **more), "invalid-question"
        )
        assert problem["errors"][0]["pointer"] == f"/{next(iter(more))}"


class TestTheSameQuestion:
    def test_has_the_same_answer(self, world: World) -> None:
        game = game_with_choice(world)
        first = ask(world.as_ada, game)
        again = ask(world.as_ada, game)
        assert (first.status_code, again.status_code) == (202, 200)
        assert again.json() == first.json()
        analysis = finish_analysis(world.as_ada, first)
        assert ask(world.as_ada, game).json() == analysis
        assert Analysis.objects.count() == 1

    def test_by_somebody_else_has_it_too(self, world: World) -> None:
        game = finished_game(world)
        analysis = finish_analysis(world.as_ada, ask(world.as_ada, game, about="game"))
        response = ask(world.as_eve, game, about="game")
        assert (response.status_code, response.json()) == (200, analysis)

    def test_of_other_code_is_another_one(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = game_with_choice(world)
        first = ask(world.as_ada, game).json()
        monkeypatch.setattr(bot_registry, "code_digest", lambda slug, version: "f" * 64)
        other = ask(world.as_ada, game)
        assert other.status_code == 202
        assert (other.json()["id"], other.json()["digest"]) != (first["id"], first["digest"])

    def test_with_more_simulations_is_another_one(self, world: World) -> None:
        game = game_with_choice(world)
        ids = {ask(world.as_ada, game, simulations=n).json()["id"] for n in (10, 20, 10)}
        assert len(ids) == 2

    def test_that_was_answered_in_part_is_thought_about_again(self, world: World) -> None:
        game = game_with_choice(world)
        first = ask(world.as_ada, game, simulations=500).json()
        part_worker.work_on_part(first["id"], 1)
        Analysis.objects.update(deadline=timezone.now() - timedelta(seconds=1))
        assert analysis_completion.end_overdue_analyses() == 1
        analysis = world.as_ada.get(first["links"]["self"]).json()
        assert (analysis["state"], analysis["position"]["is_partial"]) == ("done", True)
        assert analysis["position"]["simulations"] == 250
        assert ask(world.as_ada, game, simulations=500).json()["id"] != first["id"]


class TestCancelling:
    def test_stops_it(self, world: World) -> None:
        game = game_with_choice(world)
        pending = ask(world.as_ada, game).json()
        assert world.as_ada.delete(pending["links"]["self"]).status_code == 204
        part_worker.work_on_part(pending["id"], 0)
        analysis = world.as_ada.get(pending["links"]["self"]).json()
        assert (analysis["state"], analysis["position"], analysis["progress"]) == (
            "cancelled",
            None,
            None,
        )
        assert not Part.objects.exists()
        assert ask(world.as_ada, game).status_code == 202

    def test_leaves_what_has_ended(self, world: World) -> None:
        analysis = finish_analysis(world.as_ada, ask(world.as_ada, game_with_choice(world)))
        assert world.as_ada.delete(analysis["links"]["self"]).status_code == 204
        assert world.as_ada.get(analysis["links"]["self"]).json() == analysis

    def test_is_for_whoever_asked(self, world: World) -> None:
        analysis = ask(world.as_ada, finished_game(world), about="game").json()
        assert_refused(world.as_bob.delete(analysis["links"]["self"]), "not-your-analysis")
        assert world.as_ada.get(analysis["links"]["self"]).json()["state"] == "waiting"

    def test_is_for_nobody_when_that_account_is_gone(self, world: World) -> None:
        analysis = ask(world.as_eve, finished_game(world), about="game").json()
        world.eve.delete()
        assert world.as_bob.get(analysis["links"]["self"]).json()["state"] == "waiting"
        assert_refused(world.as_bob.delete(analysis["links"]["self"]), "not-your-analysis")


class TestLimits:
    def test_so_many_may_be_unfinished(self, world: World, settings: LazySettings) -> None:
        settings.ANALYSES_EACH = 2
        game = game_with_choice(world)
        first = ask(world.as_ada, game, simulations=1)
        second = ask(world.as_ada, game, simulations=2).json()
        assert_refused(ask(world.as_ada, game, simulations=3), "too-many-analyses")
        assert ask(world.as_ada, game, simulations=1).status_code == 200
        finish_analysis(world.as_ada, first)
        assert ask(world.as_ada, game, simulations=3).status_code == 202
        assert_refused(ask(world.as_ada, game, simulations=4), "too-many-analyses")
        world.as_ada.delete(second["links"]["self"])
        assert ask(world.as_ada, game, simulations=4).status_code == 202

    def test_nobody_has_worked_until_the_deadline(self, world: World) -> None:
        pending = ask(world.as_ada, game_with_choice(world)).json()
        Analysis.objects.update(deadline=timezone.now())
        assert analysis_completion.end_overdue_analyses() == 1
        analysis = world.as_ada.get(pending["links"]["self"]).json()
        assert (analysis["state"], analysis["position"]) == ("failed", None)


def test_the_list_is_in_pages_with_the_newest_first(world: World) -> None:
    game = game_with_choice(world)
    ids = [ask(world.as_ada, game, simulations=n).json()["id"] for n in (1, 2, 3)]
    path = f"{BASE}/games/{game}/analyses"
    page = world.as_ada.get(path, {"limit": 2}).json()
    assert [item["id"] for item in page["items"]] == [ids[2], ids[1]]
    last_page = world.as_ada.get(path, {"cursor": page["next_cursor"]}).json()
    assert [item["id"] for item in last_page["items"]] == ids[:1]
    assert last_page["next_cursor"] is None
    assert_refused(world.as_ada.get(path, {"cursor": ids[0]}), "invalid-parameter")
