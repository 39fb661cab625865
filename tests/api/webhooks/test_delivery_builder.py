"""Accounts are notified of events in their games, once, and learn nothing hidden."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from api import tasks
from api.models import AnnouncedEntry, Delivery, Webhook
from api.webhooks import delivery_builder, webhook_dispatch
from games import selectors, services
from games.models import Account
from games.services import SeatAssignment, create_game
from tabularium_log.projection.projection import Projection
from tests.api.program import program_of
from tests.api.webhooks.conftest import (
    QueuedTasks,
    Receiver,
    Subscription,
    Work,
    act,
    bodies,
    playing,
    types,
)

pytestmark = pytest.mark.stores


def challenging(account: Account, owner: Account | None = None) -> Projection:
    """A new game for three, with a seat that is kept for the account."""
    seating = [SeatAssignment(account=Account.objects.create()), SeatAssignment(challenged=account)]
    return create_game("law_of_the_dice", [*seating, SeatAssignment()], owner=owner).projection


class TestNotices:
    def test_of_a_start(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        table = playing(account, Account.objects.create())
        assert work() > 0
        turn = ["game.your_turn"] if table.is_awaited(0) else []
        assert types(receiver) == ["game.entry", "game.started", *turn]
        assert bodies(receiver)[0] == {
            "type": "game.entry",
            "timestamp": table.entry.at,
            "data": {
                "game": table.game,
                "seq": table.seq,
                "after": 0,
                "links": {
                    "game": f"/api/v1/games/{table.game}",
                    "log": f"/api/v1/games/{table.game}/log",
                    "choice": f"/api/v1/games/{table.game}/choice",
                },
            },
        }

    def test_of_turns(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        game = playing(account, Account.objects.create()).game
        work()
        for _ in range(12):
            receiver.requests.clear()
            act(game)
            work()
            table = selectors.game_projection(game)
            turns = [body["data"] for body in bodies(receiver) if "turn" in body["type"]]
            is_new_turn = table.is_awaited(0) and table.choice_since[0].seq == table.seq
            assert [turn["seat"] for turn in turns] == ([0] if is_new_turn else [])
            assert all(turn["seq"] == table.seq for turn in turns)

    def test_of_the_end(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        other = Account.objects.create()
        game = playing(account, other).game
        work()
        receiver.requests.clear()
        services.resign_seat(game, 1)
        work()
        assert types(receiver) == ["game.entry", "game.over"]
        facts = bodies(receiver)[1]["data"]
        assert (facts["seq"], facts["ending"]) == (
            selectors.game_projection(game).seq,
            "resigned",
        )

    def test_of_a_proposal_to_who_must_answer(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        game = playing(account, Account.objects.create()).game
        work()
        receiver.requests.clear()
        seq = services.make_proposal(game, 1, "draw").last_seq
        work()
        assert types(receiver) == ["game.entry", "game.proposal"]
        facts = bodies(receiver)[1]["data"]
        assert (facts["seq"], facts["seat"], facts["of"]) == (seq, 0, "draw")
        services.decline_proposal(game, 0, seq)
        services.make_proposal(game, 0, "end")
        work()
        assert types(receiver).count("game.proposal") == 1

    def test_only_what_was_asked_for(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        Webhook.objects.update(kinds="game.over")
        game = playing(account, Account.objects.create()).game
        work()
        assert receiver.requests == []
        services.resign_seat(game, 1)
        work()
        assert types(receiver) == ["game.over"]

    def test_not_of_games_of_others(
        self, subscription: Subscription, receiver: Receiver, work: Work
    ) -> None:
        playing(Account.objects.create(), Account.objects.create())
        assert work() == 0
        assert receiver.requests == []

    def test_of_games_that_one_has_set_up(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        playing(Account.objects.create(), Account.objects.create(), owner=account)
        work()
        assert types(receiver) == ["game.entry", "game.started"]

    def test_not_of_what_was_before(
        self, account: Account, receiver: Receiver, work: Work, request: pytest.FixtureRequest
    ) -> None:
        game = playing(account, Account.objects.create()).game
        last = selectors.game_projection(game).seq
        request.getfixturevalue("subscription")
        webhook_dispatch.webhook_presence.invalidate()
        act(game)
        work()
        assert "game.started" not in types(receiver)
        assert bodies(receiver)[0]["data"]["after"] == last

    def test_of_a_challenge(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        table = challenging(account)
        work()
        (body,) = bodies(receiver)
        facts = {name: body["data"][name] for name in ("game", "seq", "seat")}
        assert (body["type"], facts) == (
            "game.challenge",
            {"game": table.game, "seq": table.seq, "seat": 1},
        )

    def test_of_a_challenge_come_once_and_nothing_follows(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        game = challenging(account).game
        work()
        services.join_game(game, 2, account=Account.objects.create())
        work()
        assert types(receiver) == ["game.challenge"]

    def test_of_a_challenge_to_somebody_else_are_not_for_its_maker(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        challenging(Account.objects.create(), owner=account)
        work()
        assert types(receiver) == ["game.entry"]

    def test_of_a_declined_challenge_are_for_its_maker_once(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        """The log has no entry of it; the same request again is answered without another."""
        other = Account.objects.create()
        table = challenging(other, owner=account)
        work()
        receiver.requests.clear()
        for _ in range(2):
            path = f"/api/v1/games/{table.game}/decline"
            assert program_of(other).send(path, {"seat": 1}).status_code == 200
            work()
        (body,) = bodies(receiver)
        facts = {name: body["data"][name] for name in ("game", "seq", "seat")}
        assert (body["type"], facts) == (
            "game.declined",
            {"game": table.game, "seq": table.seq, "seat": 1},
        )

    def test_of_a_declined_challenge_are_not_for_others(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        table = challenging(account, owner=Account.objects.create())
        program_of(account).send(f"/api/v1/games/{table.game}/decline", {"seat": 1})
        work()
        assert "game.declined" not in types(receiver)

    def test_of_a_challenge_are_found_if_they_were_lost(
        self, subscription: Subscription, account: Account
    ) -> None:
        table = challenging(account)
        at = datetime.fromisoformat(table.entry.at)
        second = timedelta(seconds=1)
        (lost,) = delivery_builder.unannounced_games(at - second, at + second)
        assert lost.pk == table.game

    def test_tell_nothing_that_is_hidden(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        """Besides ids and seqs, a notice contains only the account's own seat."""
        game = playing(account, Account.objects.create()).game
        for _ in range(10):
            act(game)
            work()
        permitted = {"game", "seq", "after", "seat", "links"}
        assert all(set(body["data"]) <= permitted for body in bodies(receiver))
        assert len(receiver.requests) > 10

    def test_a_seat_that_a_bot_has_taken_over_is_nobodys(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        other_accounts = [Account.objects.create() for _ in range(2)]
        game = playing(account, *other_accounts).game
        work()
        services.resign_seat(game, 0)
        work()
        assert receiver.requests
        receiver.requests.clear()
        services.resign_seat(game, 1)
        work()
        assert receiver.requests == []


class TestRepetitions:
    def test_an_entry_is_announced_once(
        self,
        subscription: Subscription,
        receiver: Receiver,
        queued_tasks: QueuedTasks,
        work: Work,
        account: Account,
    ) -> None:
        game = playing(account, Account.objects.create()).game
        for _ in range(3):
            tasks.announce(game)
        assert Delivery.objects.filter(kind="game.started").count() == 1
        act(game)
        tasks.announce(game)
        tasks.announce(game)
        assert Delivery.objects.filter(kind="game.entry").count() == 2

    def test_who_comes_second_announces_nothing(
        self,
        subscription: Subscription,
        queued_tasks: QueuedTasks,
        account: Account,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        game = playing(account, Account.objects.create()).game
        tasks.announce(game)
        act(game)
        original, count = selectors.game_projections, Delivery.objects.count()

        def overtaken_projections(*arguments: Any) -> Any:
            tables = list(original(*arguments))
            AnnouncedEntry.objects.update(seq=tables[-1].seq)
            return iter(tables)

        monkeypatch.setattr(selectors, "game_projections", overtaken_projections)
        assert delivery_builder.create_deliveries(game) == []
        assert Delivery.objects.count() == count

    def test_a_game_of_another_database_is_nobodys(self, db: None) -> None:
        tasks.announce("game_of_yesterday")
        assert not AnnouncedEntry.objects.exists()

    def test_without_webhooks_nothing_is_asked(
        self, queued_tasks: QueuedTasks, account: Account
    ) -> None:
        create_game("law_of_the_dice", [SeatAssignment(account=account), SeatAssignment()])
        assert queued_tasks == []
