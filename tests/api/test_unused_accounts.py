"""Unused accounts are deleted after a long time, and no others."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from api import unused_accounts
from api.keys import ALL_SCOPES, create_key
from api.models import Key, Webhook
from api.unused_accounts import Walk
from games import ids, services
from games.models import Account, Challenge, Import
from games.services import SeatAssignment
from jobs.sweeper_hooks import cleanup_due

pytestmark = pytest.mark.stores

DAYS: int = 90
LONG_AGO = timedelta(days=DAYS + 1)


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A walk that begins with the first account."""
    walk = Walk()
    monkeypatch.setattr(unused_accounts, "_walk", walk)
    return walk


def account(*, age: timedelta = LONG_AGO) -> Account:
    """An account of this age, with a key that was never used."""
    made = timezone.now() - age
    number = Account.objects.count()
    row = Account.objects.create(pk=f"{ids.first_id('account', made)[:-4]}{number:04x}")
    create_key(row, "", ALL_SCOPES, None)
    Key.objects.filter(account=row).update(created=made)
    return row


def clean_up() -> None:
    """The round of the sweeper once an hour."""
    for _, outcome in cleanup_due.send_robust(None):
        assert not isinstance(outcome, Exception)


def remaining() -> set[str]:
    """The accounts there are."""
    return {*Account.objects.values_list("pk", flat=True)}


@pytest.mark.django_db
def test_an_unused_account_goes_with_its_keys(walk: Walk) -> None:
    old, new = account(), account(age=timedelta(days=DAYS - 1))
    clean_up()
    assert remaining() == {new.pk}
    assert not Key.objects.filter(account=old.pk)


def use_lately(row: Account) -> None:
    Key.objects.filter(account=row).update(last_used=timezone.now())


def make_key(row: Account) -> None:
    create_key(row, "another", ALL_SCOPES, None)


def be_banned(row: Account) -> None:
    Account.objects.filter(pk=row.pk).update(banned=timezone.now())


def have_webhook(row: Account) -> None:
    Webhook.objects.create(account=row, url="https://example.org/hook", since=timezone.now())


def play(row: Account) -> None:
    services.create_game("law_of_the_dice", [SeatAssignment(account=row), SeatAssignment()])


def open_a_game(row: Account) -> None:
    services.create_game("law_of_the_dice", [SeatAssignment()] * 2, owner=row)


def be_challenged(row: Account) -> None:
    game = services.create_game("law_of_the_dice", [SeatAssignment()] * 2).projection.game
    Challenge.objects.create(game_id=game, seat=0, account=row)


def have_imported(row: Account) -> None:
    game = services.create_game("law_of_the_dice", [SeatAssignment()] * 2).projection.game
    Import.objects.create(game_id=game, account=row, key="0" * 64)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "use",
    [
        use_lately,
        make_key,
        be_banned,
        have_webhook,
        play,
        open_a_game,
        be_challenged,
        have_imported,
    ],
)
def test_an_account_that_anything_names_stays(walk: Walk, use: Any) -> None:
    row = account()
    use(row)
    clean_up()
    assert remaining() == {row.pk}


@pytest.mark.django_db
def test_no_account_goes_where_they_are_kept_for_good(walk: Walk, settings: Settings) -> None:
    settings.GUEST_LIFE = timedelta(0)
    row = account()
    clean_up()
    assert remaining() == {row.pk}


@pytest.mark.django_db
def test_a_walk_goes_on_where_it_ended_and_begins_again(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unused_accounts, "BATCH", 2)
    monkeypatch.setattr(unused_accounts, "MAX_BATCHES", 1)
    used = account()
    play(used)
    first, second, third = account(), account(), account()
    now = timezone.now()
    steps: list[set[str]] = []
    for _ in range(2):
        walk.go_on(now - timedelta(days=DAYS))
        steps.append(remaining())
    assert steps == [{used.pk, second.pk, third.pk}, {used.pk}]
    late = account()
    for _ in range(3):
        walk.go_on(now - timedelta(days=DAYS))
    assert late.pk not in remaining()
    assert first.pk not in remaining()


@pytest.mark.django_db
def test_an_account_that_is_used_meanwhile_stays(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is examined once more when its row is locked."""
    row, examine = account(), unused_accounts.unused_accounts

    def examine_and_play(accounts: Any, before: datetime) -> list[str]:
        found = examine(accounts, before)
        monkeypatch.setattr(unused_accounts, "unused_accounts", examine)
        play(row)
        return found

    monkeypatch.setattr(unused_accounts, "unused_accounts", examine_and_play)
    clean_up()
    assert remaining() == {row.pk}
