"""Tables among people, through the API: proposals, pauses, takebacks, aborts, claims and games that
are forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from api.streams.account_updates import updates_of_games
from games import selectors, services
from games.audit import stored_game_verifier
from games.models import Game
from games.services import SeatAssignment
from jobs import clock_expiry
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import World
from tests.games.sitting import some_action

pytestmark = pytest.mark.stores

GAMES = "/api/v1/games"
OPEN = [{"kind": "me"}, {"kind": "open"}]
THREE_DAYS = {"action_ms": 3 * 24 * 3600 * 1000, "then": "bot"}


def ask(program: Program, game: str, path: str, **body: Any) -> Any:
    """The response to a POST to a part of a game."""
    return program.send(f"{GAMES}/{game}/{path}", body or None)


def seen(program: Program, game: str) -> dict[str, Any]:
    """The game as the program sees it."""
    document: dict[str, Any] = program.get(f"{GAMES}/{game}").json()
    return document


def kinds_of(game: str) -> list[str]:
    """The types of the entries since the deal."""
    kinds = [table.entry.action["type"] for table in selectors.game_projections(game)]
    return kinds[kinds.index("table.start") + 1 :]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`later(days)` sets the clock of this process forward."""
    start, passed = timezone.now(), timedelta()

    def advance(days: float) -> None:
        nonlocal passed
        passed += timedelta(days=days)
        monkeypatch.setattr(timezone, "now", lambda: start + passed)

    return advance


class TestTheDefaultClock:
    def create(self, world: World, **body: Any) -> dict[str, Any]:
        document = {"rules": "law_of_the_dice", **body}
        created: dict[str, Any] = world.as_ada.send(GAMES, document).json()
        return created

    def test_is_for_tables_with_other_people(self, world: World) -> None:
        assert self.create(world, seats=OPEN)["clock"] == THREE_DAYS
        invited = [{"kind": "me"}, {"kind": "invite"}]
        assert self.create(world, seats=invited)["clock"] == THREE_DAYS
        alone = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        assert self.create(world, seats=alone)["clock"] is None

    def test_can_be_another_or_none(self, world: World) -> None:
        assert self.create(world, seats=OPEN, clock=None)["clock"] is None
        hour = {"action_ms": 3_600_000, "then": "resign"}
        assert self.create(world, seats=OPEN, clock=hour)["clock"] == hour


class TestProposals:
    def test_a_draw(self, world: World) -> None:
        game = world.playing()
        proposed = ask(world.as_ada, game, "proposals", seat=0, of="draw").json()
        assert proposed["proposal"] == {
            "seq": 5,
            "seat": 0,
            "of": "draw",
            "to": None,
            "accepted": [0],
            "asked": [1],
        }
        assert seen(world.as_bob, game)["proposal"] == proposed["proposal"]
        over = ask(world.as_bob, game, "proposals/5/accept", seat=1).json()
        assert (over["phase"], over["proposal"]) == ("over", None)
        assert over["result"] == {
            "winners": [0, 1],
            "scores": None,
            "reason": "The players have agreed on a draw.",
        }
        assert stored_game_verifier.verify_game(game).is_good

    def test_both_propose_the_same(self, world: World) -> None:
        game = world.playing()
        ask(world.as_ada, game, "proposals", seat=0, of="end")
        over = ask(world.as_bob, game, "proposals", seat=1, of="end").json()
        assert (over["phase"], over["result"]) == ("over", None)
        assert kinds_of(game) == ["table.propose", "table.accept", "table.end"]

    def test_the_same_request_twice(self, world: World) -> None:
        game = world.playing()
        first, second = (
            ask(world.as_ada, game, "proposals", seat=0, of="draw").json() for _ in range(2)
        )
        assert first["proposal"] == second["proposal"]
        assert kinds_of(game) == ["table.propose"]

    def test_accepted_too_late(self, world: World) -> None:
        game = world.awaiting(clock=Clock(60_000, "bot"))
        seq = services.make_proposal(game, 1, "draw").projection.seq
        body = world.body(game)
        assert world.as_ada.send(f"{GAMES}/{game}/actions", body).status_code == 201
        refused = ask(world.as_ada, game, f"proposals/{seq}/accept", seat=0)
        assert_refused(refused, "no-such-proposal")

    def test_declined_and_not_repeated(self, world: World) -> None:
        game = world.proposed()
        declined = ask(world.as_ada, game, "proposals/5/decline", seat=0).json()
        assert declined["proposal"] is None
        assert_refused(ask(world.as_bob, game, "proposals", seat=1, of="end"), "proposed-already")
        assert_refused(ask(world.as_ada, game, "proposals/5/accept", seat=0), "no-such-proposal")

    def test_every_refusal(self, world: World) -> None:
        game = world.playing()
        refusals: tuple[tuple[dict[str, Any], str], ...] = (
            ({"seat": 0, "of": "draw", "to": 4}, "wrong-proposal"),
            ({"seat": 0, "of": "takeback"}, "wrong-proposal"),
            ({"seat": 0, "of": "takeback", "to": 4}, "no-takeback"),
            ({"seat": 0, "of": "pause"}, "no-clock"),
            ({"seat": 1, "of": "draw"}, "not-your-seat"),
            ({"seat": 0, "of": "tea"}, "invalid-body"),
            ({"seat": 0, "of": "takeback", "to": 0}, "invalid-body"),
            ({"seat": 0, "of": "draw", "to": 0}, "invalid-body"),
        )
        for body, code in refusals:
            assert_refused(ask(world.as_ada, game, "proposals", **body), code)
        ask(world.as_ada, game, "proposals", seat=0, of="draw")
        assert_refused(ask(world.as_bob, game, "proposals", seat=1, of="end"), "proposal-open")
        assert_refused(ask(world.as_ada, game, "proposals/5/accept", seat=0), "accepted")
        alone = world.created(SeatAssignment(account=world.ada), SeatAssignment(bot="random"))
        assert_refused(ask(world.as_ada, alone, "proposals", seat=0, of="draw"), "no-draw")
        rated = world.playing(clock=Clock(60_000, "resign"), rated=True)
        assert_refused(ask(world.as_ada, rated, "proposals", seat=0, of="end"), "rated-proposal")

    def test_a_person_alone_needs_no_consent(self, world: World) -> None:
        game = world.created(SeatAssignment(account=world.ada), SeatAssignment(bot="random"))
        over = ask(world.as_ada, game, "proposals", seat=0, of="end").json()
        assert (over["phase"], over["result"]) == ("over", None)

    def test_are_over_with_the_game(self, world: World) -> None:
        """A repeated proposal is refused, too, if the others did not accept it."""
        game = world.proposed()
        assert services.resign_seat(game, 0).projection.proposal is None
        assert_refused(ask(world.as_bob, game, "proposals", seat=1, of="draw"), "game-over")


class TestTakebacks:
    def test_the_view_and_the_choice_return(self, world: World) -> None:
        game, before = self.after_an_action(world)
        taken = seen(world.as_ada, game)
        assert taken["takebacks"] == [before["seq"]]
        assert seen(world.as_bob, game)["takebacks"] == []
        ask(world.as_ada, game, "proposals", seat=0, of="takeback", to=before["seq"])
        back = ask(world.as_bob, game, f"proposals/{taken['seq'] + 1}/accept", seat=1).json()
        assert kinds_of(game)[-3:] == ["table.propose", "table.accept", "table.takeback"]
        again = seen(world.as_ada, game)
        assert again["view"] == before["view"]
        assert again["choice"]["offers"] == before["choice"]["offers"]
        assert again["choice"]["token"] != before["choice"]["token"]
        assert back["proposal"] is None
        assert stored_game_verifier.verify_game(game).is_good

    def test_an_old_choice_stays_closed(self, world: World) -> None:
        game, before = self.after_an_action(world)
        action = selectors.game_projection(game).entry.action
        seq = services.make_proposal(game, 0, "takeback", before["seq"]).projection.seq
        services.accept_proposal(game, 1, seq)
        body = {"seat": 0, "choice": before["choice"]["token"], "action": action}
        assert_refused(world.as_ada.send(f"{GAMES}/{game}/actions", body), "stale-choice")

    def after_an_action(self, world: World) -> tuple[str, dict[str, Any]]:
        """A game in which Ada can take an action back, and what she saw before it."""
        for _ in range(60):
            game = world.awaiting()
            before = seen(world.as_ada, game)
            for offer in before["choice"]["offers"]:
                if offer["action"]["type"] == "law_of_the_dice.end_turn":
                    continue
                body = {"seat": 0, "choice": before["choice"]["token"], "action": offer["action"]}
                world.as_ada.send(f"{GAMES}/{game}/actions", body)
                if before["seq"] in seen(world.as_ada, game)["takebacks"]:
                    return game, before
                break
        raise AssertionError("nothing can be taken back")


class TestPauses:
    def test_the_deadline_moves(self, world: World, later: Any) -> None:
        later(0)
        game = world.playing(clock=Clock(2 * 24 * 3600 * 1000, "resign"))
        first = seen(world.as_ada, game)["deadline"]
        later(1)
        ask(world.as_ada, game, "proposals", seat=0, of="pause")
        paused = ask(world.as_bob, game, "proposals", seat=1, of="pause").json()
        assert (paused["to_act"], paused["choice"]) == ([], None)
        assert paused["paused_since"] < paused["deadline"]
        later(3)
        assert clock_expiry.expire_clocks() == 0
        seat, action = some_action(selectors.game_projection(game), FastRng(1))
        body = {"seat": seat, "expected_seq": paused["seq"], "action": action}
        program = (world.as_ada, world.as_bob)[seat]
        assert_refused(program.send(f"{GAMES}/{game}/actions", body), "paused")
        resumed = ask(world.as_ada, game, "resume", seat=0).json()
        assert resumed["paused_since"] is None
        assert resumed["deadline"][:10] != first[:10]
        assert_refused(ask(world.as_ada, game, "resume", seat=0), "not-paused")
        later(0.9)
        assert clock_expiry.expire_clocks() == 0
        later(0.2)
        assert clock_expiry.expire_clocks() == 1
        assert kinds_of(game)[-3:] == ["table.time_out", "table.resign", "table.end"]

    def test_a_choice_is_closed(self, world: World) -> None:
        game = world.paused()
        assert_refused(world.as_ada.get(f"{GAMES}/{game}/choice"), "paused")

    def test_end_with_the_game(self, world: World) -> None:
        game = world.paused()
        over = ask(world.as_ada, game, "resign", seat=0).json()
        assert (over["phase"], over["paused_since"]) == ("over", None)

    def test_one_that_nobody_ends(self, world: World, later: Any) -> None:
        game = world.paused()
        later(6.9)
        assert clock_expiry.expire_clocks() == 0
        later(0.2)
        assert clock_expiry.expire_clocks() == 1
        assert kinds_of(game)[-1] == "table.resume"
        assert stored_game_verifier.verify_game(game).is_good


class TestHints:
    def test_are_noted_once(self, world: World) -> None:
        game = world.awaiting(hints=True)
        before = seen(world.as_ada, game)
        replies = [ask(world.as_ada, game, "analyses", seat=0, simulations=50) for _ in range(2)]
        assert [reply.status_code for reply in replies] == [202, 200]
        assert kinds_of(game).count("table.hint") == 1
        assert seen(world.as_ada, game)["choice"]["token"] == before["choice"]["token"]
        news = world.as_bob.get(f"{GAMES}/{game}/log", {"after": before["seq"]}).json()["items"]
        assert news[0]["news"][0]["text"] == "Seat 0 takes a hint"

    def test_need_a_table_that_allows_them(self, world: World) -> None:
        game = world.awaiting()
        assert not seen(world.as_ada, game)["hints"]
        assert_refused(ask(world.as_ada, game, "analyses", seat=0), "no-hints")
        assert "table.hint" not in kinds_of(game)

    def test_are_free_against_bots(self, world: World) -> None:
        game = world.created(SeatAssignment(account=world.ada), SeatAssignment(bot="random"))
        while not selectors.game_projection(game).is_awaited(0):
            table = selectors.game_projection(game)
            seat, action = some_action(table, FastRng(table.seq))
            token = table.choice_token(seat)
            services.append_action(game, seat, action, bot="random", choice=token)
        assert ask(world.as_ada, game, "analyses", seat=0).status_code == 202
        assert kinds_of(game)[-1] == "table.hint"

    def test_are_asked_for_when_the_game_is_created(self, world: World) -> None:
        document = {"rules": "law_of_the_dice", "seats": OPEN, "hints": True}
        assert world.as_ada.send(GAMES, document).json()["hints"]


class TestRematches:
    def test_keep_a_seat_for_the_others(self, world: World) -> None:
        game = world.over(clock=Clock(60_000, "resign"), hints=True)
        asked = ask(world.as_ada, game, "rematch")
        again = asked.json()
        assert (asked.status_code, asked["Location"]) == (201, f"{GAMES}/{again['id']}")
        assert (again["rematch"], again["your_seats"], again["phase"]) == (game, [1], "gathering")
        assert (again["clock"]["then"], again["hints"]) == ("resign", True)
        waiting = world.as_bob.get("/api/v1/me/games", {"challenged": "true"}).json()["items"]
        assert [item["id"] for item in waiting] == [again["id"]]
        joined = ask(world.as_bob, game, "rematch")
        assert (joined.status_code, joined.json()["id"]) == (200, again["id"])
        assert (joined.json()["phase"], joined.json()["your_seats"]) == ("playing", [0])
        assert is_good(again["id"])

    def test_seat_bots_at_once(self, world: World) -> None:
        game = world.created(SeatAssignment(account=world.ada), SeatAssignment(bot="random"))
        assert_refused(ask(world.as_ada, game, "rematch"), "not-over")
        services.resign_seat(game, 0)
        again = ask(world.as_ada, game, "rematch").json()
        assert (again["phase"], again["your_seats"]) == ("playing", [1])
        assert again["seats"][0]["bot"] == "random"

    def test_there_is_one(self, world: World) -> None:
        game = world.over()
        before = world.as_eve.get(f"{GAMES}/{game}")
        first, *others = (ask(world.as_ada, game, "rematch") for _ in range(3))
        again = first.json()["id"]
        assert [(each.status_code, each.json()["id"]) for each in others] == [(200, again)] * 2
        after = world.as_eve.get(f"{GAMES}/{game}", headers={"If-None-Match": before["ETag"]})
        assert (before.json()["next"], after.json()["next"]) == (None, again)
        ask(world.as_bob, game, "rematch")
        assert ask(world.as_bob, game, "rematch").json()["your_seats"] == [0]

    def test_another_follows_one_that_was_called_off(self, world: World) -> None:
        game = world.over()
        first = ask(world.as_ada, game, "rematch").json()["id"]
        ask(world.as_ada, first, "call-off")
        second = ask(world.as_bob, game, "rematch")
        assert (second.status_code, seen(world.as_ada, game)["next"]) == (201, second.json()["id"])

    def test_let_the_winner_decide_who_begins(self, world: World) -> None:
        game = world.over(slug="law", options={"deck": "introductory"})
        winner = 0
        for next_winner in (0, 1, 0):
            again = ask(world.as_ada, game, "rematch").json()
            ask(world.as_bob, game, "rematch")
            game = again["id"]
            options = {"type": "law.options.v2", "deck": "introductory", "first": winner}
            assert again["options"] == options
            assert selectors.game_projection(game).awaited_seats == 1 << winner
            services.resign_seat(game, 1 - next_winner)
            winner = next_winner

    def test_keep_who_begins_without_a_result(self, world: World) -> None:
        game = world.playing(slug="law", options={"first": 0})
        ask(world.as_ada, game, "abort", seat=0)
        assert ask(world.as_bob, game, "rematch").json()["options"]["first"] == 1
        agreed = world.playing(slug="law", options={"first": 0})
        for seat in range(2):
            services.make_proposal(agreed, seat, "draw")
        assert ask(world.as_bob, agreed, "rematch").json()["options"]["first"] is None

    def test_keep_the_other_options(self, world: World) -> None:
        game = world.over(options={"points_to_win": 2})
        again = ask(world.as_ada, game, "rematch").json()["id"]
        options = [selectors.game_creation(each).options for each in (game, again)]
        assert options[0] == options[1]

    def test_are_not_shown_to_who_declined(self, world: World) -> None:
        game = world.over(visibility="private")
        again = ask(world.as_ada, game, "rematch").json()["id"]
        ask(world.as_bob, again, "decline", seat=0)
        assert_refused(ask(world.as_bob, game, "rematch"), "not-found")
        assert seen(world.as_ada, again)["seats"][0]["kind"] == "declined"

    def test_are_for_the_players(self, world: World) -> None:
        assert_refused(ask(world.as_eve, world.over(), "rematch"), "not-your-seat")

    def test_know_who_resigned(self, world: World) -> None:
        seating = [SeatAssignment(account=each) for each in (world.ada, world.bob, world.eve)]
        game = world.created(*seating)
        services.resign_seat(game, 2)
        services.resign_seat(game, 1)
        again = ask(world.as_ada, game, "rematch").json()
        assert (again["your_seats"], again["open_seats"]) == ([2], [])
        assert world.as_eve.get(f"{GAMES}/{again['id']}").json()["seats"][1]["kind"] == "challenge"


class TestGamesThatDoNotGoOn:
    def test_are_called_off(self, world: World) -> None:
        game = world.gathering()
        assert_refused(ask(world.as_bob, game, "call-off"), "not-your-game")
        for _ in range(2):
            over = ask(world.as_ada, game, "call-off").json()
            assert (over["phase"], over["result"]) == ("over", None)
        assert_refused(ask(world.as_ada, world.playing(), "call-off"), "started")

    def test_are_aborted(self, world: World) -> None:
        game = world.playing()
        for _ in range(2):
            over = ask(world.as_bob, game, "abort", seat=1).json()
            assert (over["phase"], over["result"]) == ("over", None)
        begun = world.playing()
        seat = selectors.game_projection(begun).awaited_seats - 1
        program = (world.as_ada, world.as_bob)[seat]
        program.send(f"{GAMES}/{begun}/actions", world.body(begun, seat))
        assert_refused(ask(world.as_ada, begun, "abort", seat=0), "too-late")
        rated = world.playing(clock=Clock(60_000, "resign"), rated=True)
        assert_refused(ask(world.as_ada, rated, "abort", seat=0), "rated-abort")

    def test_are_claimed(self, world: World) -> None:
        game = world.silent()
        assert_refused(ask(world.as_bob, game, "claim", seat=1, absent=0), "not-late")
        over = ask(world.as_ada, game, "claim", seat=0, absent=1, then="resign").json()
        assert over["result"]["winners"] == [0]
        going_on = ask(world.as_ada, world.silent(), "claim", seat=0, absent=1).json()
        assert going_on["seats"][1]["bot"] == "greedy"
        fresh = world.playing()
        absent = int(selectors.game_projection(fresh).is_awaited(1))
        program = (world.as_ada, world.as_bob)[1 - absent]
        assert_refused(ask(program, fresh, "claim", seat=1 - absent, absent=absent), "in-time")
        timed = world.playing(clock=Clock(60_000, "bot"))
        assert_refused(ask(world.as_ada, timed, "claim", seat=0, absent=1), "has-clock")

    def test_expire(self, world: World, later: Any) -> None:
        later(0)
        waiting, playing = world.gathering(), world.playing()
        timed = world.playing(clock=Clock(30 * 24 * 3600 * 1000, "bot"))
        later(6.9)
        assert clock_expiry.end_forgotten_games() == 0
        assert waiting in listed_as_open(world)
        later(0.2)
        assert clock_expiry.end_forgotten_games() == 1
        assert listed_as_open(world) == []
        later(82)
        assert clock_expiry.end_forgotten_games() == 0
        later(1)
        assert clock_expiry.end_forgotten_games() == 1
        over = seen(world.as_eve, playing)
        assert (over["phase"], over["result"], over["expires"]) == ("over", None, None)
        assert seen(world.as_eve, timed)["phase"] == "playing"
        assert all(map(is_good, (waiting, playing, timed)))

    def test_say_when(self, world: World) -> None:
        expected = {world.gathering(): 7, world.playing(): 90}
        for game, days in expected.items():
            row = Game.objects.get(pk=game)
            expires = seen(world.as_ada, game)["expires"]
            assert expires[:16] == (row.at + timedelta(days=days)).isoformat()[:16]
        timed = world.playing(clock=Clock(60_000, "bot"))
        assert seen(world.as_ada, timed)["expires"] is None


class TestWhoIsAsked:
    def test_reads_so_in_the_list_and_in_the_stream(self, world: World) -> None:
        game = world.playing(clock=Clock(60_000, "bot"))
        seq = ask(world.as_ada, game, "proposals", seat=0, of="pause").json()["seq"]
        (listed,) = asked(world.as_bob)
        assert listed["proposal"] == seen(world.as_bob, game)["proposal"]
        assert listed["proposal"]["asked"] == [1]
        assert updates_of(game) == {world.ada.pk: ((), None), world.bob.pk: ((1,), None)}
        assert asked(world.as_ada) == asked(world.as_bob, my_turn="true", phase="over") == []
        ask(world.as_bob, game, f"proposals/{seq}/accept", seat=1)
        assert asked(world.as_bob) == []
        (item,) = world.as_bob.get("/api/v1/me/games").json()["items"]
        paused = seen(world.as_bob, game)
        assert item["paused_since"] == paused["paused_since"] is not None
        assert item["deadline"] == paused["deadline"]

    def test_both_conditions_can_hold(self, world: World) -> None:
        game = world.awaiting()
        assert asked(world.as_ada, my_turn="true") == []
        services.make_proposal(game, 1, "end")
        assert [item["id"] for item in asked(world.as_ada, my_turn="true")] == [game]


def asked(program: Program, **query: str) -> list[dict[str, Any]]:
    """The games that ask the program for an answer."""
    items: list[dict[str, Any]] = program.get(
        "/api/v1/me/games", {"asked": "true", **query}
    ).json()["items"]
    return items


def updates_of(game: str) -> dict[str, tuple[tuple[int, ...], str | None]]:
    """The asked seats and the ending in the update of each account."""
    return {
        account: (timed.update.asked, timed.update.ending)
        for account, timed in updates_of_games([game])
    }


class TestEndings:
    @pytest.mark.parametrize(
        "ending", ["resigned", "abandoned", "drawn", "agreed", "aborted", "called_off"]
    )
    def test_by_people(self, world: World, ending: str) -> None:
        game = world.gathering() if ending == "called_off" else world.silent()
        match ending:
            case "resigned":
                ask(world.as_bob, game, "resign", seat=1)
            case "abandoned":
                ask(world.as_ada, game, "claim", seat=0, absent=1, then="resign")
            case "aborted":
                ask(world.as_ada, game, "abort", seat=0)
            case "called_off":
                ask(world.as_ada, game, "call-off")
            case _:
                of = "draw" if ending == "drawn" else "end"
                for seat, program in enumerate((world.as_ada, world.as_bob)):
                    ask(program, game, "proposals", seat=seat, of=of)
        assert_ended(world, game, "agreed" if ending == "drawn" else ending)

    def test_by_time(self, world: World, later: Any) -> None:
        later(0)
        waiting, silent = world.gathering(), world.playing()
        timed = world.playing(clock=Clock(60_000, "resign"))
        later(1)
        clock_expiry.expire_clocks()
        assert_ended(world, timed, "timed_out")
        later(90)
        clock_expiry.end_forgotten_games()
        assert_ended(world, waiting, "called_off")
        assert_ended(world, silent, "expired")

    def test_by_the_rules(self, world: World) -> None:
        """Where a bot plays on for who resigned, or whose time has run out, the game is played
        out."""
        game = world.created(
            *(SeatAssignment(account=world.ada),) * 3, options={"points_to_win": 1}
        )
        services.resign_seat(game, 2)
        while (table := selectors.game_projection(game)).phase == "playing":
            seat, action = some_action(table, FastRng(table.seq))
            occupant = table.occupants[seat]
            bot = None if occupant is None else occupant.bot
            token = table.choice_token(seat)
            services.append_action(game, seat, action, bot=bot, choice=token)
        assert_ended(world, game, "played_out")


def assert_ended(world: World, game: str, ending: str) -> None:
    """Each view of a game says how it came to its end."""
    over = seen(world.as_ada, game)
    assert (over["phase"], over["ending"]) == ("over", ending)
    items = world.as_ada.get("/api/v1/me/games").json()["items"]
    assert [item["ending"] for item in items if item["id"] == game] == [ending]
    assert updates_of(game)[world.ada.pk] == ((), ending)
    assert is_good(game)


def listed_as_open(world: World) -> list[str]:
    """The games with open seats."""
    page = world.as_eve.get(GAMES, {"open": "true"}).json()
    return [item["id"] for item in page["items"]]


def is_good(game: str) -> bool:
    """Whether the stored game is good."""
    return stored_game_verifier.verify_game(game).is_good
