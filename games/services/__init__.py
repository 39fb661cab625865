"""Who may change a game? Only these functions, and all of them by adding to its log.

Whatever takes time (rules, draws, hashes) is done before the transaction, on a copy; the
transaction moves the head and adds the rows, and whoever loses that race reads the tail and tries
again.
"""

from games.positions import UnknownGame
from games.services.acting import Note, StaleChoice, action_append
from games.services.asked import (
    Asked,
    KeyReused,
    request_begin,
    request_found,
    requests_forget,
)
from games.services.changes import Appended, Busy
from games.services.importing import Brought, game_hide, game_import
from games.services.leaving import (
    CARETAKER,
    NotYourSeat,
    clock_expire,
    game_resign,
    seat_replace,
)
from games.services.setting_up import (
    Seating,
    game_call_off,
    game_create,
    game_fork,
    player_join,
    player_leave,
    seed_open,
)
from games.table.table import Refused

__all__ = [
    "CARETAKER",
    "Appended",
    "Asked",
    "Brought",
    "Busy",
    "KeyReused",
    "NotYourSeat",
    "Note",
    "Refused",
    "Seating",
    "StaleChoice",
    "UnknownGame",
    "action_append",
    "clock_expire",
    "game_call_off",
    "game_create",
    "game_fork",
    "game_hide",
    "game_import",
    "game_resign",
    "player_join",
    "player_leave",
    "request_begin",
    "request_found",
    "requests_forget",
    "seat_replace",
    "seed_open",
]
