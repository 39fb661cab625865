"""Appending actions: the entries appended, and the refusals."""

from __future__ import annotations

from typing import Any

import pytest

from games import services
from games.models import Account, Game
from games.position_cache import UnknownGame
from games.services import NotYourSeat, SeatAssignment, StaleChoice, append_action
from games.signals import entries_appended
from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.fairness.signed_hash_chain import is_genuine
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import GameRefusal, Projection
from tests.games.sitting import (
    NOON,
    SLUG,
    act,
    acting,
    bot_game,
    hash_of,
    some_action,
    stored_rows,
    table_of,
    turn_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


class TestAppending:
    def test_the_entry_is_in_the_log_and_the_head_is_its_hash(self, game: str) -> None:
        table, action = turn_of(game, 0)
        appended = append_action(game, 0, action, choice=table.choice_token(0))
        head = Game.objects.get(pk=game)
        assert (appended.first_seq, appended.is_repeat) == (table.seq + 1, False)
        assert (head.seq, head.hash, head.awaited) == (
            table.seq + 1,
            hash_of(game, table.seq + 1),
            appended.projection.awaited_seats,
        )
        assert appended.projection.entry.action == action

    def test_it_is_receipted(self, game: str) -> None:
        table, action = turn_of(game, 0)
        receipt = append_action(game, 0, action, choice=table.choice_token(0)).receipt
        assert is_genuine(receipt)
        assert (receipt.game, receipt.hash) == (game, hash_of(game, receipt.seq))

    def test_the_last_action_brings_the_end_with_it(self) -> None:
        game = bot_game()
        *_, last = acting(game)
        assert last.projection.entry.action["type"] == "table.end"
        assert last.last_seq == last.first_seq + 1
        assert Game.objects.get(pk=game).phase == "over"

    def test_several_actions_are_appended_all_or_none(self, game: str) -> None:
        table, action = turn_of(game, 0)
        before = stored_rows(game)
        illegal = {"type": f"{SLUG}.fly"}
        with pytest.raises(IllegalAction) as caught:
            append_action(game, 0, [action, illegal], choice=table.choice_token(0))
        assert caught.value.pointer == "/1/type"
        assert stored_rows(game) == before

    def test_several_legal_actions_are_one_append(self) -> None:
        game = bot_game()
        for seed in range(40):
            table = table_of(game)
            if table.phase == "over":
                return
            seat, _ = some_action(table, FastRng(seed))
            actions = two_in_a_row(table, seat, seed)
            if len(actions) == 2:
                token = table.choice_token(seat)
                appended = append_action(game, seat, actions, bot="random", choice=token)
                assert appended.last_seq >= appended.first_seq + 1
                again = append_action(game, seat, actions, bot="random", choice=token)
                assert again.is_repeat
                assert (again.first_seq, again.last_seq) == (
                    appended.first_seq,
                    appended.first_seq + 1,
                )
                return
            act(game, table, FastRng(seed))
        raise AssertionError("nobody ever acts twice in a row")

    def test_listeners_hear_of_it_and_cannot_undo_it(
        self, game: str, django_capture_on_commit_callbacks: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        first_seqs: list[int] = []

        def listen(table: Projection, first: int, **_: Any) -> None:
            first_seqs.append(first)
            raise RuntimeError("the listener fails")

        table, action = turn_of(game, 0)
        entries_appended.connect(listen)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                append_action(game, 0, action, choice=table.choice_token(0))
        finally:
            entries_appended.disconnect(listen)
        assert first_seqs == [table.seq + 1]
        assert table_of(game).seq > table.seq
        assert "the listener fails" in caplog.text


def two_in_a_row(table: Projection, seat: int, seed: int) -> list[Any]:
    """Two actions of a seat, the second legal after the first, if it remains the seat's turn."""

    scribe = EntryWriter(b"\0" * 32, table, "")
    _, first = some_action(table, FastRng(seed))
    after = scribe.write(seat, first, NOON.replace(year=2099))
    if after.decided_outcome is not None or after.awaited_seats != 1 << seat or after.entry.draws:
        return []
    return [first, some_action(after, FastRng(seed))[1]]


class TestRefusing:
    def test_a_choice_that_is_not_open(self, game: str) -> None:
        table, action = turn_of(game, 0)
        before = stored_rows(game)
        for choice in ("", "no token", table.choice_token(1), "0" * 22, table.seq + 1, 0, -1):
            with pytest.raises(StaleChoice):
                append_action(game, 0, action, choice=choice)
        assert stored_rows(game) == before

    def test_a_seq_will_do_since_which_nothing_mattered(self, game: str) -> None:
        table, action = turn_of(game, 0)
        services.replace_seat(game, 1, "greedy")
        with pytest.raises(StaleChoice):
            append_action(game, 0, action, choice=table.choice_since[0].seq - 1)
        assert append_action(game, 0, action, choice=table.seq).first_seq == table.seq + 2

    def test_a_seat_that_somebody_else_plays(self, game: str) -> None:
        table, action = turn_of(game, 0)
        for seat, bot in ((0, "random"), (1, None), (1, "greedy")):
            with pytest.raises(NotYourSeat):
                append_action(game, seat, action, bot=bot, choice=table.choice_token(seat))

    @pytest.mark.parametrize("seat", [2, -1, 10**20])
    def test_a_seat_that_is_not_there(self, game: str, seat: int) -> None:
        with pytest.raises(GameRefusal, match="There is no seat"):
            append_action(game, seat, {})

    def test_a_game_that_is_not_there(self) -> None:
        with pytest.raises(UnknownGame):
            append_action("game_0", 0, {})

    def test_a_game_that_has_not_started(self, account: Account) -> None:
        game = services.create_game(
            SLUG, [SeatAssignment(account=account), SeatAssignment()]
        ).projection.game
        with pytest.raises(GameRefusal, match="not started"):
            append_action(game, 0, {"type": f"{SLUG}.draw"})

    @pytest.mark.parametrize(
        "action",
        [
            None,
            17,
            "draw",
            [],
            [[]],
            [None],
            {},
            {"type": None},
            {"type": ["table.end"]},
            {"type": "table.end", "secret": "00" * 32, "result": None},
            {"type": "table.resign"},
            {"type": "table.replace", "bot": "random"},
            {"type": f"{SLUG}.draw", "extra": 1},
            {"type": f"{SLUG}.play", "card": "\ud800"},
            {"type": f"{SLUG}.play", "card": 10**30},
            {"type": f"{SLUG}.play", "card": {"card": []}},
        ],
    )
    def test_what_is_no_action(self, game: str, action: Any) -> None:
        table, _ = turn_of(game, 0)
        before = stored_rows(game)
        with pytest.raises((IllegalAction, GameRefusal)):
            append_action(game, 0, action, choice=table.choice_token(0))
        assert stored_rows(game) == before

    def test_an_action_out_of_turn(self, game: str) -> None:
        table, _ = turn_of(game, 1)
        with pytest.raises(IllegalAction) as caught:
            append_action(game, 0, {"type": f"{SLUG}.draw"}, choice=table.choice_token(0))
        assert caught.value.code == "not-your-turn"

    def test_an_action_after_the_end(self) -> None:
        game = bot_game()
        *_, last = acting(game)
        for choice in (last.projection.choice_token(0), "stale", None):
            with pytest.raises(GameRefusal) as caught:
                append_action(game, 0, {"type": f"{SLUG}.draw"}, bot="random", choice=choice)
            assert caught.value.code == "game-over"
