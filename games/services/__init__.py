"""Services: the only functions that change a game, all by adding to its log.

Slow work (rules, draws, hashes) is done before the transaction, on a copy; the transaction moves
the head and adds the rows, and the loser of that race reads the new entries and tries again.
"""

from games.position_cache import UnknownGame
from games.projection.projection import GameRefusal
from games.services.account_deletion import account_delete, account_retire, games_give_up
from games.services.accounts import account_ban, account_create, account_rename, account_unban
from games.services.agreements import (
    expiry,
    expiry_after,
    game_abort,
    game_expire,
    game_propose,
    game_resume,
    hint_take,
    proposal_accept,
    proposal_decline,
    seat_claim,
)
from games.services.append_transaction import AppendResult, GameBusy, PreparedAppend
from games.services.challenges import challenge_decline, challenge_withdraw
from games.services.departures import (
    CARETAKER_BOT,
    clock_expire,
    game_resign,
    seat_replace,
)
from games.services.game_actions import (
    AppendNote,
    BehindLog,
    NotYourSeat,
    StaleChoice,
    action_append,
    action_prepare,
)
from games.services.game_creation import (
    SeatAssignment,
    game_call_off,
    game_create,
    game_fork,
    player_join,
    player_leave,
    seats_fill,
    seed_open,
)
from games.services.idempotency import (
    IdempotencyKeyReused,
    IdempotentRequest,
    request_find,
    request_record,
    requests_delete,
)
from games.services.imports import ImportResult, game_hide, game_import
from games.services.rematches import rematch_create
from games.services.rulesets import rulesets_record
from games.services.staff import NoteTooLong, staff_action_record

__all__ = [
    "CARETAKER_BOT",
    "AppendNote",
    "AppendResult",
    "BehindLog",
    "GameBusy",
    "GameRefusal",
    "IdempotencyKeyReused",
    "IdempotentRequest",
    "ImportResult",
    "NotYourSeat",
    "NoteTooLong",
    "PreparedAppend",
    "SeatAssignment",
    "StaleChoice",
    "UnknownGame",
    "account_ban",
    "account_create",
    "account_delete",
    "account_rename",
    "account_retire",
    "account_unban",
    "action_append",
    "action_prepare",
    "challenge_decline",
    "challenge_withdraw",
    "clock_expire",
    "expiry",
    "expiry_after",
    "game_abort",
    "game_call_off",
    "game_create",
    "game_expire",
    "game_fork",
    "game_hide",
    "game_import",
    "game_propose",
    "game_resign",
    "game_resume",
    "games_give_up",
    "hint_take",
    "player_join",
    "player_leave",
    "proposal_accept",
    "proposal_decline",
    "rematch_create",
    "request_find",
    "request_record",
    "requests_delete",
    "rulesets_record",
    "seat_claim",
    "seat_replace",
    "seats_fill",
    "seed_open",
    "staff_action_record",
]
