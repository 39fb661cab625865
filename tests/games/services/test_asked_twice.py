"""What if a request comes twice? It is done once, and answered both times with what it did."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.engines.common.rng import FastRng
from games.models import Account, Request
from games.services import Asked, KeyReused, StaleChoice, action_append
from games.services import acting as door
from games.services import asked as requests
from tests.games.sitting import (
    acting,
    bot_game,
    hash_of,
    some_action,
    table_of,
    turn_of,
    unchanged,
)

pytestmark = pytest.mark.django_db


class TestAskedTwice:
    def test_a_blind_repetition_is_answered_with_the_entry_it_made(self, game: str) -> None:
        table, action = turn_of(game, 0)
        token = table.token(0)
        appended = action_append(game, 0, action, choice=token)
        for choice in (token, table.seq):
            again = action_append(game, 0, action, choice=choice)
            assert again.repeated
            assert (again.first, again.position.hash) == (appended.first, hash_of(game, again.last))

    def test_it_is_found_however_long_ago_it_was(self) -> None:
        game = bot_game()
        rng = FastRng(3)
        table = table_of(game)
        seat, action = some_action(table, rng)
        first = action_append(game, seat, action, bot="random", choice=table.token(seat))
        *_, last = acting(game)
        again = action_append(game, seat, action, bot="random", choice=table.token(seat))
        assert (again.first, again.last, again.repeated) == (first.first, first.last, True)
        assert last.table.phase == "over"

    def test_another_action_from_the_same_choice_is_stale(self, game: str) -> None:
        table, action = turn_of(game, 0)
        choice = selectors.choice(table, 0)
        assert choice is not None
        others = [offer.action for offer in choice.offers if offer.action != action]
        action_append(game, 0, action, choice=choice.token)
        with pytest.raises(StaleChoice):
            action_append(game, 0, others[0], choice=choice.token)

    def test_a_key_is_answered_once(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        asked = Asked(account.pk, "key", "fingerprint")
        first = action_append(game, 0, action, choice=table.token(0), note=asked)
        before = unchanged(game)
        again = action_append(game, 0, action, choice=table.token(0), note=asked)
        assert (again.first, again.last, again.repeated) == (first.first, first.last, True)
        assert unchanged(game) == before

    def test_a_key_is_for_one_request_of_one_game(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        asked = Asked(account.pk, "key", "fingerprint")
        action_append(game, 0, action, choice=table.token(0), note=asked)
        with pytest.raises(KeyReused):
            action_append(game, 0, action, note=Asked(account.pk, "key", "another"))
        with pytest.raises(KeyReused):
            action_append(bot_game(), 0, action, note=asked)

    def test_what_was_refused_may_be_asked_again(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        asked = Asked(account.pk, "key", "fingerprint")
        with pytest.raises(StaleChoice):
            action_append(game, 0, action, choice="stale", note=asked)
        assert not action_append(game, 0, action, choice=table.token(0), note=asked).repeated

    def test_two_at_once_under_one_key_are_one(
        self, game: str, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table, action = turn_of(game, 0)
        asked = Asked(account.pk, "key", "fingerprint")
        first = action_append(game, 0, action, choice=table.token(0), note=asked)
        look_up, looks = requests.request_answered, iter([False])
        monkeypatch.setattr(  # the other's row is not there yet when this one looks
            door,
            "request_answered",
            lambda *wanted: look_up(*wanted) if next(looks, True) else None,
        )
        monkeypatch.setattr(door.Decision, "is_open", lambda *_: True)
        table_now, again = turn_of(game, 0)
        assert table_now.seq >= first.last
        second = action_append(game, 0, again, note=asked)
        assert (second.first, second.last, second.repeated) == (first.first, first.last, True)
        assert table_of(game).seq == table_now.seq

    def test_requests_are_forgotten_in_time(self, game: str, account: Account) -> None:
        table, action = turn_of(game, 0)
        asked = Asked(account.pk, "key", "fingerprint")
        appended = action_append(game, 0, action, choice=table.token(0), note=asked)
        at = Request.objects.get().at
        assert services.requests_forget(at) == 0
        assert services.requests_forget(at.replace(year=at.year + 1)) == 1
        assert appended.table.seq == table_of(game).seq
