"""A repeated request is executed once and answered both times with the same result."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.models import Account, Request
from games.services import IdempotencyKeyReused, IdempotentRequest, StaleChoice, append_action
from games.services import game_actions as door
from games.services import idempotency as requests
from tabularium_engines.common.random_generators import FastRng
from tests.games.sitting import (
    acting,
    bot_game,
    duel_at_a_question,
    hash_of,
    said_law,
    some_action,
    stored_rows,
    table_of,
    turn_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


class TestAskedTwice:
    def test_a_blind_repetition_is_answered_with_the_entry_it_made(self, game: str) -> None:
        table, action = turn_of(game, 0)
        token = table.choice_token(0)
        appended = append_action(game, 0, action, choice=token)
        for choice in (token, table.seq):
            again = append_action(game, 0, action, choice=choice)
            assert again.is_repeat
            assert (again.first_seq, again.position.hash) == (
                appended.first_seq,
                hash_of(game, again.last_seq),
            )

    def test_it_is_found_behind_a_hint(self, game: str) -> None:
        """Which is an entry of the same seat at the same choice, as a proposal is."""
        table, action = turn_of(game, 0)
        services.take_hint(game, 0)
        appended = append_action(game, 0, action, choice=table.choice_token(0))
        again = append_action(game, 0, action, choice=table.choice_token(0))
        assert (again.first_seq, again.is_repeat) == (appended.first_seq, True)

    def test_it_is_recognised_in_every_form(self, account: Account) -> None:
        game, table = duel_at_a_question(account)
        token = table.choice_token(0)
        said = {"type": "duel_of_law.claim", "law": said_law(table)}
        appended = append_action(game, 0, said, choice=token)
        full = appended.projection.entry.action
        assert set(full) == {"type", "feature", "pattern", "value", "direction"}
        for document in (said, full):
            again = append_action(game, 0, document, choice=token)
            assert (again.first_seq, again.is_repeat) == (appended.first_seq, True)
        with pytest.raises(StaleChoice):
            append_action(game, 0, said | {"law": "nonsense"}, choice=token)

    def test_it_is_found_however_long_ago_it_was(self) -> None:
        game = bot_game()
        rng = FastRng(3)
        table = table_of(game)
        seat, action = some_action(table, rng)
        first = append_action(game, seat, action, bot="random", choice=table.choice_token(seat))
        *_, last = acting(game)
        again = append_action(game, seat, action, bot="random", choice=table.choice_token(seat))
        assert (again.first_seq, again.last_seq, again.is_repeat) == (
            first.first_seq,
            first.last_seq,
            True,
        )
        assert last.projection.phase == "over"

    def test_another_action_from_the_same_choice_is_stale(self, game: str) -> None:
        table, action = turn_of(game, 0)
        choice = selectors.seat_choice(table, 0)
        assert choice is not None
        other_actions = [offer.action for offer in choice.offers if offer.action != action]
        append_action(game, 0, action, choice=choice.token)
        with pytest.raises(StaleChoice):
            append_action(game, 0, other_actions[0], choice=choice.token)

    def test_a_key_is_answered_once(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        request = IdempotentRequest(account.pk, "key", "fingerprint")
        first = append_action(game, 0, action, choice=table.choice_token(0), note=request)
        before = stored_rows(game)
        again = append_action(game, 0, action, choice=table.choice_token(0), note=request)
        assert (again.first_seq, again.last_seq, again.is_repeat) == (
            first.first_seq,
            first.last_seq,
            True,
        )
        assert stored_rows(game) == before

    def test_a_key_is_for_one_request_of_one_game(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        request = IdempotentRequest(account.pk, "key", "fingerprint")
        append_action(game, 0, action, choice=table.choice_token(0), note=request)
        with pytest.raises(IdempotencyKeyReused):
            append_action(game, 0, action, note=IdempotentRequest(account.pk, "key", "another"))
        with pytest.raises(IdempotencyKeyReused):
            append_action(bot_game(), 0, action, note=request)

    def test_what_was_refused_may_be_asked_again(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        request = IdempotentRequest(account.pk, "key", "fingerprint")
        with pytest.raises(StaleChoice):
            append_action(game, 0, action, choice="stale", note=request)
        assert not append_action(
            game, 0, action, choice=table.choice_token(0), note=request
        ).is_repeat

    def test_two_at_once_under_one_key_are_one(
        self, game: str, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table, action = turn_of(game, 0)
        request = IdempotentRequest(account.pk, "key", "fingerprint")
        first = append_action(game, 0, action, choice=table.choice_token(0), note=request)
        look_up, lookups = requests.request_result, iter([False])
        monkeypatch.setattr(  # the concurrent request's row does not exist yet at this lookup
            door,
            "request_result",
            lambda *arguments: look_up(*arguments) if next(lookups, True) else None,
        )
        monkeypatch.setattr(door.ChoiceReference, "is_open", lambda *_: True)
        table_now, again = turn_of(game, 0)
        assert table_now.seq >= first.last_seq
        second = append_action(game, 0, again, note=request)
        assert (second.first_seq, second.last_seq, second.is_repeat) == (
            first.first_seq,
            first.last_seq,
            True,
        )
        assert table_of(game).seq == table_now.seq

    def test_requests_are_forgotten_in_time(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        request = IdempotentRequest(account.pk, "key", "fingerprint")
        appended = append_action(game, 0, action, choice=table.choice_token(0), note=request)
        at = Request.objects.get().at
        assert services.delete_requests(at) == 0
        assert services.delete_requests(at.replace(year=at.year + 1)) == 1
        assert appended.projection.seq == table_of(game).seq
