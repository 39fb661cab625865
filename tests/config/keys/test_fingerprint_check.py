"""The fingerprint check: a server recognizes the keys of its database, or refuses with a sentence
that states the remedy."""

from __future__ import annotations

import os
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from config.keys import fingerprint_check, sealed_columns, start_refusal
from config.keys.fingerprint_check import WrongKeysError, confirm_keys
from games import position_cache
from games.models import ServerKey
from tabularium_log.fairness.encryption import fingerprint
from tests.config.keys.conftest import SetKeys, key
from tests.games.sitting import acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
NOT_ITS_KEYS = r"^The {} keys of this server \(\w+\) are not those of its database.*set TABULARIUM"
TOO_EARLY = r"^The {} key \w{{16}} was removed too early, {}"


def refusal(kind: str) -> str:
    """The sentence with which a server with other keys refuses."""
    with pytest.raises(WrongKeysError, match=NOT_ITS_KEYS.format(kind)) as failure:
        confirm_keys()
    return str(failure.value)


def finish(game: str) -> None:
    """Play a game to its end."""
    for _ in acting(game):
        pass


def keys_command_output() -> str:
    """The output of `manage.py keys`, without fingerprints."""
    output = StringIO()
    call_command("keys", stdout=output)
    return re.sub(r" [0-9a-f]{16} ", "", output.getvalue())


class TestAnEmptyDatabase:
    def test_learns_the_keys_of_the_first_server(self, set_keys: SetKeys) -> None:
        set_keys("ab", "x")
        assert confirm_keys()
        rows = ServerKey.objects.order_by("pk").values_list("kind", "is_current")
        assert [*rows] == [("sealing", True), ("sealing", False), ("signing", True)]
        assert confirm_keys()
        assert ServerKey.objects.count() == 3

    def test_knows_nothing_that_opens_anything(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        confirm_keys()
        fingerprints = "".join(ServerKey.objects.values_list("fingerprint", flat=True))
        assert key("a").hex() not in fingerprints
        assert key("x").hex() not in fingerprints

    def test_has_one_current_key_of_a_kind(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        confirm_keys()
        with pytest.raises(IntegrityError), transaction.atomic():
            ServerKey.objects.create(kind="sealing", fingerprint="0" * 64, is_current=True)

    @pytest.mark.parametrize("kind", ["sealing", "signing"])
    def test_then_refuses_others_without_any_game(self, set_keys: SetKeys, kind: str) -> None:
        set_keys("a", "x")
        confirm_keys()
        set_keys("b" if kind == "sealing" else "a", "x" if kind == "sealing" else "y")
        assert "manage.py keys adopt" in refusal(kind)
        assert ServerKey.objects.count() == 2


class TestADatabaseOfAnOlderVersion:
    def test_learns_the_keys_that_open_its_games(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        bot_game()
        assert confirm_keys()
        assert ServerKey.objects.count() == 2

    def test_refuses_keys_that_open_none(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        for _ in range(2):
            bot_game()
        finish(bot_game())
        set_keys("b", "x")
        assert "2 of 2 tested running games cannot be decrypted" in refusal("sealing")
        assert not ServerKey.objects.exists()

    def test_refuses_a_key_that_signed_none(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        bot_game()
        set_keys("a", "y")
        assert "was created with another key" in refusal("signing")

    def test_takes_any_keys_when_all_is_over(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        finish(bot_game())
        set_keys("b", "y")
        assert confirm_keys()

    def test_is_checked_before_it_is_migrated(
        self, set_keys: SetKeys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_keys("a", "x")
        bot_game()
        monkeypatch.setattr(fingerprint_check, "recorded_keys", lambda: None)
        assert not confirm_keys()
        set_keys("b", "x")
        refusal("sealing")


class TestAnOldKey:
    def test_may_not_be_dropped_while_a_game_is_under_it(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        confirm_keys()
        game = bot_game()
        set_keys("ba", "x")
        confirm_keys()
        bot_game()
        set_keys("b", "x")
        with pytest.raises(
            WrongKeysError, match=TOO_EARLY.format("sealing", "1 running game ")
        ) as failure:
            confirm_keys()
        assert "`manage.py keys reseal`" in str(failure.value)
        set_keys("ba", "x")
        finish(game)
        set_keys("b", "x")
        assert confirm_keys()
        assert ServerKey.objects.get(fingerprint=fingerprint(key("a"))).retired

    def test_may_be_dropped_when_all_is_locked_anew(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        confirm_keys()
        game = bot_game()
        set_keys("ba", "x")
        call_command("keys", "reseal", stdout=StringIO())
        set_keys("b", "x")
        assert confirm_keys()
        position_cache.cache.clear()
        finish(game)

    def test_is_needed_by_a_secret_without_the_name_of_its_key(
        self, set_keys: SetKeys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_keys("a", "x")
        confirm_keys()
        monkeypatch.setattr(
            sealed_columns, "_sealing_key_name", lambda *_: sealed_columns.UNKNOWN_KEY
        )
        bot_game()
        set_keys("ba", "x")
        confirm_keys()
        set_keys("b", "x")
        with pytest.raises(WrongKeysError, match=TOO_EARLY.format("sealing", "1 running game ")):
            confirm_keys()

    def test_of_signing_may_not_be_dropped_while_a_game_names_it(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        confirm_keys()
        game = bot_game()
        set_keys("a", "yx")
        confirm_keys()
        set_keys("a", "y")
        with pytest.raises(WrongKeysError, match=TOO_EARLY.format("signing", "1 running game ")):
            confirm_keys()
        finish(game)
        assert confirm_keys()

    def test_that_is_first_again_is_current_again(self, set_keys: SetKeys) -> None:
        for letters in ("a", "ba", "b", "ab"):
            set_keys(letters, "x")
            confirm_keys()
        current = ServerKey.objects.get(kind="sealing", is_current=True)
        assert (current.fingerprint, current.retired) == (fingerprint(key("a")), None)

    def test_a_server_that_has_not_the_new_one_is_refused(self, set_keys: SetKeys) -> None:
        for letters in ("a", "ba"):
            set_keys(letters, "x")
            confirm_keys()
        set_keys("a", "x")
        refusal("sealing")


class TestTheCommand:
    def test_lists_the_uses_of_each_key(self, set_keys: SetKeys) -> None:
        set_keys("a", "x")
        bot_game()
        assert keys_command_output().splitlines()[0] == (
            "sealing first here, not yet recorded in the database: 1 running game"
        )
        confirm_keys()
        set_keys("ba", "x")
        confirm_keys()
        assert keys_command_output().splitlines() == [
            "sealing first: not needed",
            "sealing after the first: 1 running game",
            "signing first: 1 running game",
        ]
        set_keys("c", "x")
        assert keys_command_output().splitlines()[:3] == [
            "sealing first here, not yet recorded in the database: not needed",
            "sealing not here: 1 running game",
            "sealing not here: not needed",
        ]

    def test_adopts_keys_if_nothing_is_lost(self, set_keys: SetKeys, settings: Any) -> None:
        game = self.running_game(set_keys)
        finish(game)
        settings.SEALING_KEYS, settings.SIGNING_KEYS = ExistingKeys("b"), ExistingKeys("y")
        output = StringIO()
        call_command("keys", "adopt", stdout=output)
        assert output.getvalue() == "Adopted. Nothing is lost.\n"
        assert confirm_keys()

    def test_lists_the_losses_before_it_adopts(self, set_keys: SetKeys, settings: Any) -> None:
        self.running_game(set_keys)
        settings.SEALING_KEYS, settings.SIGNING_KEYS = ExistingKeys("b"), ExistingKeys("y")
        with pytest.raises(CommandError, match=r"sealing: 1 running game; signing: 1 running game"):
            call_command("keys", "adopt", stdout=StringIO())
        refusal("sealing")
        output = StringIO()
        call_command("keys", "adopt", "--accept-loss", stdout=output)
        assert "sealing: 1 running game" in output.getvalue()
        assert confirm_keys()
        assert "sealing dropped: 1 running game" in keys_command_output()

    def running_game(self, set_keys: SetKeys) -> str:
        """A running game that needs other keys than the later ones."""
        set_keys("a", "x")
        confirm_keys()
        return bot_game()


class ExistingKeys(list[bytes]):
    """A key list that already exists."""

    has_key = True

    def __init__(self, letters: str) -> None:
        super().__init__(key(letter) for letter in letters)

    def load(self, may_create: bool = False) -> list[bytes]:
        """Return the keys; none has to be created."""
        return self


def test_a_fork_confirms_its_keys_itself() -> None:
    start_refusal._keys_confirmed.set()
    pid = os.fork()
    if pid == 0:
        os._exit(int(start_refusal._keys_confirmed.is_set()))
    start_refusal._keys_confirmed.clear()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
