"""Challenges in requests for new games: the accounts for which seats are to be kept exist, and have
room for another challenge, as has their challenger."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from django.conf import settings

from api.errors import Refusal
from api.limits.quotas import account_locks
from api.query_serializers import ACCOUNT_PATTERN
from api.shapes import games as shapes
from games import selectors
from games.selectors import Account

NOT_ALLOWED: Final = "is only for seats of the kind `account`"


@contextmanager
def challenge_transaction(
    maker: str, seats: Sequence[shapes.NewSeat]
) -> Iterator[Mapping[str, Account]]:
    """A transaction in which the accounts that the seats challenge exist, and neither they nor
    their challenger have too many challenges; the accounts, by id."""
    _check_members(seats)
    counts = Counter(seat.account for seat in seats if seat.account is not None)
    if not counts:
        yield {}
        return
    possible_ids = [name for name in counts if re.fullmatch(ACCOUNT_PATTERN, name)]
    with account_locks([maker, *possible_ids]) as accounts:
        for number, seat in enumerate(seats):
            if seat.account is not None and seat.account not in accounts:
                detail = f"There is no account {seat.account}."
                raise Refusal("unknown-account", detail, [_error(number, "unknown", detail)])
        _check_quotas(maker, counts)
        yield accounts


def _check_members(seats: Sequence[shapes.NewSeat]) -> None:
    """Refuse a seat of the kind `account` without an account, and an account on any other."""
    for number, seat in enumerate(seats):
        detail = "is required" if seat.account is None else NOT_ALLOWED
        if (seat.kind == "account") != (seat.account is not None):
            error = _error(number, "malformed", detail)
            raise Refusal("unknown-account", f"{error['pointer']}: {detail}.", [error])


def _error(seat: int, code: str, detail: str) -> dict[str, str]:
    return {"pointer": f"/seats/{seat}/account", "code": code, "detail": detail}


def _check_quotas(maker: str, counts: Mapping[str, int]) -> None:
    """Refuse more open challenges than an account may make or get; the accounts are locked."""
    challenges = selectors.open_challenges()
    made = challenges.filter(game__owner=maker).count() + sum(counts.values())
    if made > settings.CHALLENGES_MADE:
        detail = f"You may have {settings.CHALLENGES_MADE} open challenges."
        raise Refusal("too-many-challenges", detail)
    for account, count in counts.items():
        if challenges.filter(account=account).count() + count > settings.CHALLENGES_RECEIVED:
            detail = f"{settings.CHALLENGES_RECEIVED} seats already wait for {account}."
            raise Refusal("too-many-challenges", detail)
