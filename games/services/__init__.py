"""Services: the only functions that change a game, all by adding to its log.

Slow work (rules, draws, hashes) is done before the transaction, on a copy; the transaction moves
the head and adds the rows, and the loser of that race reads the new entries and tries again.
"""

from games.position_cache import UnknownGame
from games.services.account_deletion import delete_account, give_up_games, retire_account
from games.services.accounts import ban_account, create_account, rename_account, unban_account
from games.services.agreements import (
    abort_game,
    accept_proposal,
    claim_seat,
    decline_proposal,
    expire_game,
    expiry,
    expiry_after,
    make_proposal,
    resume_game,
    take_hint,
)
from games.services.append_transaction import AppendResult, GameBusy, PreparedAppend
from games.services.challenges import decline_challenge, withdraw_challenge
from games.services.departures import (
    CARETAKER_BOT,
    expire_clock,
    replace_seat,
    resign_seat,
)
from games.services.game_actions import (
    AppendNote,
    BehindLog,
    NotYourSeat,
    StaleChoice,
    append_action,
    prepare_action,
)
from games.services.game_creation import (
    SeatAssignment,
    call_off_game,
    create_game,
    fill_seats,
    fork_game,
    join_game,
    leave_game,
    open_seed,
)
from games.services.idempotency import (
    IdempotencyKeyReused,
    IdempotentRequest,
    delete_requests,
    find_request,
    record_request,
)
from games.services.imports import ImportResult, hide_game, import_game
from games.services.rematches import create_rematch
from games.services.rulesets import record_rulesets
from games.services.staff import NoteTooLong, record_staff_action
from tabularium_log.projection.projection import GameRefusal

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
    "abort_game",
    "accept_proposal",
    "append_action",
    "ban_account",
    "call_off_game",
    "claim_seat",
    "create_account",
    "create_game",
    "create_rematch",
    "decline_challenge",
    "decline_proposal",
    "delete_account",
    "delete_requests",
    "expire_clock",
    "expire_game",
    "expiry",
    "expiry_after",
    "fill_seats",
    "find_request",
    "fork_game",
    "give_up_games",
    "hide_game",
    "import_game",
    "join_game",
    "leave_game",
    "make_proposal",
    "open_seed",
    "prepare_action",
    "record_request",
    "record_rulesets",
    "record_staff_action",
    "rename_account",
    "replace_seat",
    "resign_seat",
    "resume_game",
    "retire_account",
    "take_hint",
    "unban_account",
    "withdraw_challenge",
]
