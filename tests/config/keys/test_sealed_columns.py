"""All encrypted values are encrypted again under the first key while games go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from secrets import token_bytes

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from api.models import Webhook
from api.webhooks import signatures
from config.keys import sealed_columns
from games import position_cache
from games.models import Account, Game
from tabularium_log.fairness.encryption import fingerprint, lock_secret, unlock_secret
from tests.config.keys.conftest import SetKeys, key
from tests.games.sitting import acting, bot_game
from tests.games.tampering import REFUSED, take_guards_away

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def short_fingerprint(letter: str) -> str:
    """The fingerprint that identifies a key."""
    return fingerprint(key(letter))[: sealed_columns.FINGERPRINT_DIGITS_SHOWN]


def webhook() -> Webhook:
    """A webhook with two secrets."""
    hook = Webhook(account=Account.objects.create(), url="https://a.example/", since=timezone.now())
    for _ in range(2):
        signatures.renew_secret(hook, timezone.now())
    hook.save()
    return hook


def seal_without_key_name(game: str, letter: str) -> None:
    """Encrypt a game's secret in the format of the previous version, which named no keys."""
    nonce = token_bytes(12)
    secret = position_cache.current_position(game).secret
    take_guards_away()
    old = nonce + AESGCM(key(letter)).encrypt(nonce, secret, game.encode())
    Game.objects.filter(pk=game).update(secret=old)


class TestLockingAnew:
    def test_all_is_under_the_first_key(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        games, hook = [bot_game() for _ in range(3)], webhook()
        for _ in acting(games[0]):
            pass
        set_keys("ba", "x")
        bot_game()
        resealed_counts = sealed_columns.reseal([key("b"), key("a")])
        assert resealed_counts == {
            "running game": 2,
            "webhook": 1,
            "webhook's old secret": 1,
            "stored reply": 0,
        }
        assert sealed_columns.count_uses_by_key([key("b")]) == {
            "running game": Counter({short_fingerprint("b"): 3}),
            "webhook": Counter({short_fingerprint("b"): 1}),
            "webhook's old secret": Counter({short_fingerprint("b"): 1}),
            "stored reply": Counter(),
        }
        set_keys("b", "x")
        hook.refresh_from_db()
        assert (
            len(
                signatures.signature_headers(hook, "msg_1", "{}", timezone.now())[
                    "webhook-signature"
                ]
            )
            > 90
        )
        assert not any(sealed_columns.reseal([key("b")]).values())

    def test_a_kept_reply_is_repeated_under_another_key(
        self, set_keys: SetKeys, client: Client
    ) -> None:
        set_keys("a", "x")
        first, again = (
            client.post(
                "/api/v1/guests",
                {},
                content_type="application/json",
                headers={"Idempotency-Key": "5b1f9c0e-2d51-4b3a-9f1e-0123456789ab"},
            )
            for _ in self.before_and_after_reseal(set_keys, "a", "b")
        )
        assert (first.status_code, again.status_code) == (201, 201)
        assert again["Idempotent-Replayed"] == "true"
        assert again.json() == first.json()

    @staticmethod
    def before_and_after_reseal(set_keys: SetKeys, old: str, new: str) -> Iterator[None]:
        """Yield before and after everything is resealed and the old key is dropped."""
        yield
        assert sealed_columns.reseal([key(new), key(old)])["stored reply"] == 1
        set_keys(new, "x")
        yield

    def test_a_secret_without_the_name_of_its_key(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        game = bot_game()
        seal_without_key_name(game, "a")
        assert sealed_columns.count_uses_by_key([key("b"), key("a")])["running game"] == Counter(
            {short_fingerprint("a"): 1}
        )
        assert sealed_columns.count_uses_by_key([key("b")])["running game"] == Counter(
            {sealed_columns.UNKNOWN_KEY: 1}
        )
        assert sealed_columns.reseal([key("b"), key("a")])["running game"] == 1
        assert sealed_columns.count_unopenable_games([key("b")]) == (0, 1)

    def test_what_no_key_opens_stays(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        bot_game()
        assert not any(sealed_columns.reseal([key("b")]).values())
        assert sealed_columns.count_unopenable_games([key("b")]) == (1, 1)

    def test_an_old_secret_that_signs_no_more_needs_no_key(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        hook = webhook()
        hook.old_until = timezone.now() - timedelta(seconds=1)
        hook.save()
        assert not sealed_columns.count_uses_by_key([key("b")])["webhook's old secret"]

    def test_what_has_changed_meanwhile_is_left(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        hook = webhook()
        rows = [(hook.pk, bytes(hook.secret))]
        signatures.renew_secret(hook, timezone.now())
        hook.save()
        assert (
            sealed_columns._reseal_rows(
                sealed_columns.SEALED_COLUMNS[1], [key("b"), key("a")], rows
            )
            == 0
        )
        assert sealed_columns.count_uses_by_key([key("a")])["webhook"] == Counter(
            {short_fingerprint("a"): 1}
        )


class TestTheGuard:
    """The changes that the database trigger itself allows, from any client."""

    def update_secret(self, game: str, secret: bytes) -> None:
        with transaction.atomic():
            Game.objects.filter(pk=game).update(secret=secret)

    def test_lets_a_secret_be_locked_under_another_key(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        game = bot_game()
        secret = position_cache.current_position(game).secret
        self.update_secret(game, lock_secret([key("b")], game, secret))
        sealed_secret = bytes(Game.objects.get(pk=game).secret)
        assert unlock_secret([key("b")], game, sealed_secret) == secret

    @pytest.mark.parametrize("ending", [b"", b"\0"])
    def test_refuses_anything_else(self, set_keys: SetKeys, ending: bytes) -> None:
        set_keys("a", "x")
        game = bot_game()
        under_same_key = lock_secret([key("a")], game, bytes(32))
        for secret in (
            under_same_key,
            b"",
            bytes(70),
            lock_secret([key("b")], game, bytes(31)) + ending * 2,
        ):
            with pytest.raises(DatabaseError, match=REFUSED):
                self.update_secret(game, secret)

    def test_refuses_it_for_a_game_that_is_over(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        game = bot_game()
        for _ in acting(game):
            pass
        with pytest.raises(DatabaseError, match=REFUSED):
            self.update_secret(game, lock_secret([key("b")], game, bytes(32)))
