"""Selectors: games are read only through these functions, each for one viewer: a seat, or None for
an onlooker. A result is built from the viewer's own view and readable fields, never by cutting
parts out of the full state.

Accounts, games, imports and ratings are handed out as rows. Their classes are here for annotations:
the API queries none of them.
"""

from games.models import Account, Game, Import, Rating
from games.selectors.accounts import (
    PublicGameCounts,
    account,
    account_exists,
    find_account,
    locked_account,
    public_game_counts,
    unfinished_games_of,
)
from games.selectors.choices import (
    BotTurn,
    Choice,
    Offer,
    awaited_bot_seats,
    bot_reaction,
    bot_turn,
    game_choice,
    reacting_bot_seats,
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
from games.selectors.game_lists import (
    GameFacts,
    GameFilter,
    GameUnion,
    ListPlace,
    Order,
    game_facts,
    games_played_by,
    games_visible_to,
    imports_visible_to,
)
from games.selectors.log_growth import (
    FollowedGames,
    GameHead,
    game_head,
    games_grown_since,
    heads_of,
    last_seqs_since,
)
from games.selectors.logs import (
    VisibleEntry,
    entry_hashes,
    game_log,
    game_log_entries,
    game_projections,
    visible_entry,
)
from games.selectors.overdue_games import (
    games_ahead_of_clock,
    games_forgotten,
    games_past_deadline,
    games_stalled,
)
from games.selectors.positions import (
    check_game_over,
    check_help_allowed,
    dealt_state,
    game_position,
    game_projection,
    game_view,
    unknown_entry,
)
from games.selectors.proofs import (
    GameProof,
    game_creation,
    game_proof,
    needs_second_format,
)
from games.selectors.rulesets import has_installed_rules, package_of
from games.selectors.seats import (
    GameRights,
    SeatedPlayer,
    game_rights,
    has_held_seat,
    players_by_game,
    players_of,
    seat_masks,
    seats_of,
    started_game_rights,
)
from games.selectors.visible_games import (
    game_visible_to,
    games_of_account,
    import_of,
    is_public,
)

__all__ = [
    "Account",
    "BotTurn",
    "Choice",
    "DecisionPoint",
    "FollowedGames",
    "Game",
    "GameFacts",
    "GameFilter",
    "GameHead",
    "GameProof",
    "GameRights",
    "GameUnion",
    "Import",
    "ListPlace",
    "Offer",
    "Order",
    "PublicGameCounts",
    "Rating",
    "SeatedPlayer",
    "TakenDecision",
    "VisibleEntry",
    "account",
    "account_exists",
    "awaited_bot_seats",
    "bot_reaction",
    "bot_turn",
    "check_game_over",
    "check_help_allowed",
    "dealt_state",
    "entry_hashes",
    "find_account",
    "fork_origin",
    "game_choice",
    "game_creation",
    "game_decision",
    "game_facts",
    "game_head",
    "game_log",
    "game_log_entries",
    "game_position",
    "game_projection",
    "game_projections",
    "game_proof",
    "game_rights",
    "game_view",
    "game_visible_to",
    "games_ahead_of_clock",
    "games_forgotten",
    "games_grown_since",
    "games_of_account",
    "games_past_deadline",
    "games_played_by",
    "games_stalled",
    "games_visible_to",
    "has_held_seat",
    "has_installed_rules",
    "heads_of",
    "import_of",
    "imports_visible_to",
    "is_public",
    "last_seqs_since",
    "locked_account",
    "needs_second_format",
    "package_of",
    "players_by_game",
    "players_of",
    "public_game_counts",
    "reacting_bot_seats",
    "seat_choice",
    "seat_masks",
    "seats_of",
    "started_game_rights",
    "taken_decision",
    "taken_decisions",
    "unfinished_games_of",
    "unknown_entry",
    "visible_entry",
]
