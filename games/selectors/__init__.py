"""Selectors: games are read only through these functions, each for one viewer: a seat, or None for
an onlooker. A result is built from the viewer's own view and readable fields, never by cutting
parts out of the full state."""

from games.selectors.choices import (
    BotTurn,
    Choice,
    Offer,
    awaited_bot_seats,
    bot_turn,
    game_choice,
    seat_choice,
)
from games.selectors.decisions import (
    DecisionPoint,
    TakenDecision,
    game_decision,
    taken_decision,
    taken_decisions,
)
from games.selectors.fork_origins import fork_origin
from games.selectors.late_games import games_ahead_of_clock, games_past_deadline, games_stalled
from games.selectors.logs import (
    VisibleEntry,
    game_log,
    game_projections,
    visible_entry,
)
from games.selectors.positions import (
    check_game_over,
    check_help_allowed,
    game_position,
    game_projection,
    game_view,
)
from games.selectors.visibility import is_public

__all__ = [
    "BotTurn",
    "Choice",
    "DecisionPoint",
    "Offer",
    "TakenDecision",
    "VisibleEntry",
    "awaited_bot_seats",
    "bot_turn",
    "check_game_over",
    "check_help_allowed",
    "fork_origin",
    "game_choice",
    "game_decision",
    "game_log",
    "game_position",
    "game_projection",
    "game_projections",
    "game_view",
    "games_ahead_of_clock",
    "games_past_deadline",
    "games_stalled",
    "is_public",
    "seat_choice",
    "taken_decision",
    "taken_decisions",
    "visible_entry",
]
