"""An action is appended exactly as the contract's table says, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from games import selectors, services
from games.models import Entry, Game, Request
from tabularium_log.fairness.signed_hash_chain import Receipt, is_genuine
from tabularium_log.projection import fold
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows
from tests.games.sitting import duel_at_a_question, offered, said_law

pytestmark = pytest.mark.stores

NIX = {"type": "law_of_the_dice.nix"}


def send(program: Program, game: str, body: Any, key: str = "", **extra: Any) -> Any:
    """Send an append request."""
    headers = {"Idempotency-Key": key} if key else {}
    return program.send(f"{BASE}/games/{game}/actions", body, headers=headers, **extra)


@pytest.fixture
def game(world: World) -> str:
    """A game that waits for Ada."""
    return world.awaiting()


def two_draws(world: World, game: str) -> dict[str, Any]:
    """Two actions of Ada's in a row: two draws of a card."""
    world.turn(game)
    draw = {"type": "law_of_the_dice.draw"}
    token = selectors.game_projection(game).choice_token(0)
    return {"seat": 0, "choice": token, "actions": [draw, draw]}


class TestWhatIsAppended:
    def test_is_answered_with_its_entry(self, world: World, game: str) -> None:
        seq = Game.objects.get(pk=game).seq
        response = send(world.as_ada, game, body := world.body(game))
        result = response.json()
        assert response.status_code == 201
        assert response["Location"] == f"{BASE}/games/{game}/log/{seq + 1}"
        assert world.as_ada.get(response["Location"]).json() == result["entry"]
        assert (result["seq"], result["entry"]["seq"]) == (seq + 1, seq + 1)
        assert result["entry"]["action"] == body["action"]
        assert result["entries"] == [result["entry"]]
        assert result["news"] == result["entry"]["news"]
        now = world.as_ada.get(f"{BASE}/games/{game}").json()
        assert {name: now[name] for name in ("to_act", "result", "choice")} == {
            name: result[name] for name in ("to_act", "result", "choice")
        }

    def test_is_receipted(self, world: World, game: str) -> None:
        receipt = Receipt(**send(world.as_ada, game, world.body(game)).json()["receipt"])
        row = Game.objects.get(pk=game)
        assert (receipt.game, receipt.seq, receipt.hash) == (game, row.seq, row.hash)
        assert receipt.key == world.as_eve.get(f"{BASE}/games/{game}/proof").json()["key"]
        assert is_genuine(receipt)

    def test_may_be_meant_for_the_table_after_an_entry(self, world: World, game: str) -> None:
        body = world.body(game, choice=None, expected_seq=Game.objects.get(pk=game).seq)
        assert send(world.as_ada, game, body).status_code == 201

    def test_may_be_several_at_once(self, world: World, game: str) -> None:
        result = send(world.as_ada, game, body := two_draws(world, game)).json()
        assert [entry["action"] for entry in result["entries"]] == body["actions"]
        assert result["entry"] == result["entries"][-1]
        assert result["seq"] == Game.objects.get(pk=game).seq

    def test_may_be_a_law_in_words_and_is_told_as_it_was_heard(self, world: World) -> None:
        game, table = duel_at_a_question(world.ada)
        said = {"type": "duel_of_law.claim", "law": "red or blue"}
        body = {"seat": 0, "choice": table.choice_token(0), "action": said}
        problem = assert_refused(send(world.as_ada, game, body), "illegal-action")
        assert problem["rule"] == "law-has-no-or"
        assert problem["errors"][0]["pointer"] == "/action/law"
        said["law"] = "Nothing but queens"
        check = world.as_ada.send(f"{BASE}/games/{game}/actions/check", body).json()
        assert check["detail"].startswith("It is not so that every rank is Q")
        heard = said_law(table)
        said["law"] = f"Please, {heard}!"
        check = world.as_ada.send(f"{BASE}/games/{game}/actions/check", body).json()
        assert check["offer"]["label"].startswith(f"Claim: {heard}")
        entry = send(world.as_ada, game, body).json()["entry"]
        assert entry["action"] == check["offer"]["action"] == offered(table, "claim")[0].action
        assert any(heard in news["text"] for news in entry["news"])

    def test_is_all_or_none_of_several(self, world: World, game: str) -> None:
        body = two_draws(world, game)
        body["actions"] += [NIX]
        before = rows()
        problem = assert_refused(send(world.as_ada, game, body), "illegal-action")
        assert problem["errors"][0]["pointer"] == "/actions/2/type"
        assert rows() == before


class TestTheSameAgain:
    @pytest.mark.parametrize("again", ["mine", '"mine"'])
    def test_under_a_key_is_answered_as_before(self, world: World, game: str, again: str) -> None:
        body = world.body(game)
        first = send(world.as_ada, game, body, '"mine"')
        before = rows()
        second = send(world.as_ada, game, body, again)
        assert (second.status_code, second.json()) == (201, first.json())
        assert second["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first
        assert rows() == before

    def test_is_answered_as_before_even_if_the_game_has_gone_on(
        self, world: World, game: str
    ) -> None:
        body = world.body(game)
        first = send(world.as_ada, game, body, "mine").json()
        services.resign_seat(game, 1)
        again = send(world.as_ada, game, body, "mine")
        assert (again.status_code, again.json()["entry"]) == (201, first["entry"])

    def test_with_another_body_is_refused(self, world: World, game: str) -> None:
        send(world.as_ada, game, world.body(game), "mine")
        before = rows()
        other = world.body(game)
        before = rows()
        assert_refused(send(world.as_ada, game, other, "mine"), "idempotency-key-reused")
        assert rows() == before

    def test_in_another_game_is_refused(self, world: World, game: str) -> None:
        send(world.as_ada, game, world.body(game), "mine")
        other = world.awaiting()
        assert_refused(
            send(world.as_ada, other, world.body(other), "mine"), "idempotency-key-reused"
        )

    def test_key_of_another_account_is_another_key(self, world: World, game: str) -> None:
        assert send(world.as_ada, game, world.body(game), "mine").status_code == 201
        body = world.body(game, 1)
        assert send(world.as_bob, game, body, "mine").status_code == 201
        assert Request.objects.count() == 2

    def test_without_a_key_is_no_mistake(self, world: World, game: str) -> None:
        body = world.body(game)
        first = send(world.as_ada, game, body)
        before = rows()
        again = send(world.as_ada, game, body)
        assert again.status_code == 200
        assert again["Idempotent-Replayed"] == "true"
        assert again["Location"] == first["Location"]
        assert again.json()["entry"] == first.json()["entry"]
        assert rows() == before

    def test_several_without_a_key_are_no_mistake(self, world: World, game: str) -> None:
        body = two_draws(world, game)
        first = send(world.as_ada, game, body).json()
        again = send(world.as_ada, game, body)
        assert (again.status_code, again.json()["entries"]) == (200, first["entries"])

    def test_but_another_action_is_stale(self, world: World, game: str) -> None:
        offers = selectors.game_choice(game, 0)
        assert offers is not None
        body, other = (
            {"seat": 0, "choice": offers.token, "action": offer.action}
            for offer in (offers.offers[0], offers.offers[-1])
        )
        assert send(world.as_ada, game, body).status_code == 201
        assert_refused(send(world.as_ada, game, other), "stale-choice")

    def test_of_what_was_refused_is_tried_anew(self, world: World, game: str) -> None:
        assert_refused(
            send(world.as_ada, game, world.body(game, action=NIX), "mine"), "illegal-action"
        )
        assert send(world.as_ada, game, world.body(game), "mine").status_code == 201


class TestWhatIsStale:
    def test_tells_what_was_missed_and_what_is_open(self, world: World, game: str) -> None:
        seq = Game.objects.get(pk=game).seq
        send(world.as_ada, game, world.body(game))
        world.turn(game, 1)
        world.turn(game, 0)
        choice = world.as_ada.get(f"{BASE}/games/{game}/choice").json()
        body = world.body(game, choice=None, expected_seq=seq)
        problem = assert_refused(send(world.as_ada, game, body), "stale-choice")
        log = world.as_ada.get(f"{BASE}/games/{game}/log?after={seq}").json()
        assert problem["entries"] == log["items"]
        assert problem["choice"] == choice

    def test_goes_on_from_what_it_tells(self, world: World, game: str) -> None:
        problem = assert_refused(
            send(world.as_ada, game, world.body(game, choice="0" * 22)), "stale-choice"
        )
        body = {
            "seat": 0,
            "choice": problem["choice"]["token"],
            "action": problem["choice"]["offers"][0]["action"],
        }
        assert send(world.as_ada, game, body).status_code == 201

    @pytest.mark.parametrize(
        ("seq", "code"), [(-1, "invalid-body"), (0, "stale-choice"), (10**9, "stale-choice")]
    )
    def test_is_an_entry_that_never_was(self, world: World, game: str, seq: int, code: str) -> None:
        assert_refused(
            send(world.as_ada, game, world.body(game, choice=None, expected_seq=seq)), code
        )


class TestOtherRefusals:
    def test_names_the_rule(self, world: World, game: str) -> None:
        problem = assert_refused(
            send(world.as_ada, game, world.body(game, action=NIX)), "illegal-action"
        )
        assert problem["rule"] == "unknown-action"
        assert problem["errors"][0]["pointer"] == "/action/type"

    def test_that_nobody_waits_for_it(self, world: World, game: str) -> None:
        table = selectors.game_projection(game)
        body = {
            "seat": 1,
            "choice": table.choice_token(1),
            "action": {"type": "law_of_the_dice.draw"},
        }
        problem = assert_refused(send(world.as_bob, game, body), "illegal-action")
        assert problem["rule"] == "not-your-turn"

    def test_that_the_game_has_not_started(self, world: World) -> None:
        body = {"seat": 0, "expected_seq": 1, "action": {"type": "law_of_the_dice.draw"}}
        assert_refused(send(world.as_ada, world.gathering(), body), "not-started")

    def test_that_the_game_is_over(self, world: World, game: str) -> None:
        body = world.body(game)
        services.resign_seat(game, 1)
        assert_refused(send(world.as_ada, game, body), "game-over")

    def test_that_a_bot_plays_the_seat_by_now(self, world: World, game: str) -> None:
        body = world.body(game)
        services.replace_seat(game, 0, "random")
        assert_refused(send(world.as_ada, game, body), "not-your-seat")

    def test_that_too_many_act_at_once(
        self, world: World, game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        body = world.body(game)
        monkeypatch.setattr("games.services.append_transaction.MAX_APPEND_ATTEMPTS", 0)
        response = send(world.as_ada, game, body)
        assert_refused(response, "busy")
        assert int(response["Retry-After"]) > 0

    def test_that_are_too_many_at_once(self, world: World, game: str) -> None:
        body = two_draws(world, game) | {"actions": [NIX] * 101}
        assert_refused(send(world.as_ada, game, body), "no-action")


def test_rules_that_crash_append_nothing(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, before = world.body(game), rows()

    def crash(*_: Any) -> None:
        raise ZeroDivisionError("in the rules")

    with monkeypatch.context() as patch:
        patch.setattr(fold, "apply_to_copy", crash)
        response = send(world.as_ada, game, body, "mine")
        problem = assert_refused(response, "internal-error")
    assert "rules" not in str(problem)
    assert response["Request-Id"]
    assert rows() == before
    assert send(world.as_ada, game, body, "mine").status_code == 201
    assert Entry.objects.filter(game=game).count() == Game.objects.get(pk=game).seq
