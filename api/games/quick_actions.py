"""The quick path of ordinary actions, on the event loop: all that `ActionsEndpoint` does for them,
without waiting.

It takes only requests whose key, rights, position and limit are in memory, and which that endpoint
would answer with 201; it leaves every refusal to it. All of it is Python in one thread, which never
blocks: a ruleset that was slow is left to the endpoint for a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic, thread_time
from typing import Final, NamedTuple

import orjson
from django.conf import settings
from rest_framework.exceptions import ParseError

from api import deprecations
from api.authentication import check_scope, check_seat_rights
from api.errors import Refusal
from api.games import actions as endpoint
from api.keys import KEY_PREFIX, Caller, StaleKey, key_cache
from api.limits import rate_limiting
from api.limits.rate_limiting import Admission, NotAtHand
from api.limits.token_buckets import LeaseEnded
from api.parsers import parse_json
from api.shapes.logs import NewActions
from games import position_cache, request_trace, selectors, services
from games.services import BehindLog, PreparedAppend
from tabularium_engines.common.json_codec import MalformedDocument, from_json
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.projection.projection import Projection

SCOPE: Final = "games:play"
ROUTE: Final = "game-actions"
AUTHORIZATION_PREFIX: Final = f"Bearer {KEY_PREFIX}_"
SLOW_SECONDS: Final = 0.02  # of processor time for an action on average: all streams wait for it
NEWEST_WEIGHT: Final = 0.125  # of the newest action in the average
MAX_COUNTED_SECONDS: Final = 0.08  # of one action, so that it takes several
SLOW_FOR_SECONDS: Final = 60.0  # for which a ruleset is left to the endpoint
OUT_OF_DATE: Final = (BehindLog, StaleKey, LeaseEnded)
LEFT_TO_THE_ENDPOINT: Final = (
    *(Refusal, ParseError, MalformedDocument),
    *(RulesetNotInstalled, RecursionError, NotAtHand),
)


class QuickAction(NamedTuple):
    """An action that is ready to be appended, and counted."""

    prepared: PreparedAppend
    seat: int
    admission: Admission | None  # None: there is no limit
    cpu_seconds: float  # spent so far

    @property
    def rules(self) -> str:
        """The slug of the ruleset."""
        return self.prepared.old_position.projection.creation.rules


class SlowRulesets:
    """The rulesets that took the event loop too long."""

    def __init__(self) -> None:
        self._slow_until: dict[str, float] = {}
        self._average: dict[str, float] = {}

    def is_quick(self, table: Projection) -> bool:
        """Whether the table's ruleset may run on the event loop."""
        return monotonic() >= self._slow_until.get(table.creation.rules, 0.0)

    def note(self, rules: str, cpu_seconds: float) -> None:
        """Note how long an action took. A single one, such as the first, does not decide."""
        average = self._average.get(rules, 0.0)
        counted = min(cpu_seconds, MAX_COUNTED_SECONDS)
        self._average[rules] = average + NEWEST_WEIGHT * (counted - average)
        if self._average[rules] > SLOW_SECONDS:
            self._slow_until[rules] = monotonic() + SLOW_FOR_SECONDS
            self._average[rules] = 0.0


slow_rulesets: Final = SlowRulesets()


def prepare(game: str, authorization: str, body: bytes) -> QuickAction | None:
    """The action of a request, or None: then nothing has changed, and the endpoint has to answer.
    Raises one of OUT_OF_DATE if memory has an older position than the client knows, a key that was
    read too long ago, or no lease of tokens."""
    start = thread_time()
    try:
        return _prepare(game, authorization, body, start)
    except LEFT_TO_THE_ENDPOINT:
        return None


def _prepare(game: str, authorization: str, body: bytes, start: float) -> QuickAction | None:
    caller = _known_caller(authorization)
    if caller is None or deprecations.DEPRECATIONS or not _may_see(caller, game):
        return None
    document = from_json(NewActions, parse_json(body))
    actions = endpoint.actions_of(document)
    rights = selectors.cached_game_rights(game)
    choice = document.choice if document.choice is not None else document.expected_seq
    if rights is None or choice is None:
        return None
    check_seat_rights(rights, caller.account, document.seat)
    admission = rate_limiting.admit_at_hand("POST", ROUTE, caller.account)
    prepared = None
    try:
        prepared = services.prepare_action(
            game, document.seat, actions, choice, slow_rulesets.is_quick
        )
    finally:
        if prepared is None and admission is not None:
            admission.give_back()
    if prepared is None:
        return None
    request_trace.add_to_trace(account=caller.account, game=game)
    return QuickAction(prepared, document.seat, admission, thread_time() - start)


def renew(games: Sequence[str]) -> None:
    """Bring up to date the keys and leases in use, and the positions of these games. It asks the
    database: the event loop does not call it."""
    key_cache.renew()
    if settings.LIMITS:
        rate_limiting.configured_buckets().renew()
    position_cache.catch_up(games)


def _known_caller(authorization: str) -> Caller | None:
    """The caller, if its key is in memory and has the scope; raises StaleKey."""
    if not authorization.startswith(AUTHORIZATION_PREFIX):
        return None
    caller = key_cache.cached_caller(authorization.removeprefix("Bearer "))
    if caller is not None:
        check_scope(caller, SCOPE)
    return caller


def _may_see(caller: Caller, game: str) -> bool:
    """Whether the caller may see the game, if that is in memory."""
    rights = selectors.cached_game_rights(game)
    if rights is None:
        return False
    return not rights.is_private or caller.account in (rights.owner, *rights.accounts)


class QuickReply(NamedTuple):
    """The parts of a 201 that differ between two of them."""

    location: str
    admission: Admission | None
    body: bytes


def reply_to(action: QuickAction) -> QuickReply:
    """The reply to an action that is in the log."""
    start = thread_time()
    result = action.prepared.result
    shape = endpoint.action_result(result, action.seat, result.projection)
    reply = QuickReply(endpoint.location_of(result), action.admission, orjson.dumps(shape))
    slow_rulesets.note(action.rules, action.cpu_seconds + thread_time() - start)
    return reply
