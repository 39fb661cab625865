"""The certain consequences of laying a card in Duel-Edged Sword: the cards that it collects or
turns, the standing and the points after it, and the end of the match."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, NewsItem
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import CertainFacts, Foresight, gist
from tabularium_engines.duel_edged_sword import action_numbers
from tabularium_engines.duel_edged_sword.cards import CARD_CODES
from tabularium_engines.duel_edged_sword.game_logic import SIDE_NAMES, SwordState
from tabularium_engines.duel_edged_sword.match_scoring import RoundResult
from tabularium_engines.duel_edged_sword.news_text import player_name
from tabularium_engines.duel_edged_sword.players import SEAT_COUNT
from tabularium_engines.duel_edged_sword.status_text import effect_of, effect_text
from tabularium_engines.duel_edged_sword.view import player_view, row_view

CERTAIN_NEWS: Final[CertainFacts] = {
    "placed": None,
    "opened": None,
    "collected": ("row", "cards"),
    "turned": ("row", "cards"),
    "out": (),
    "cut": (),
    "drew": (),
    "scored": ("round", "mode", "sought", "points", "kept"),
}


def scores(state: SwordState) -> tuple[int, ...]:
    """The points of the rounds played, and those that the present round brings so far."""
    match, players = state.match, state.players
    if state.to_act == 0:
        return tuple([int(points) for points in match.points])
    so_far = RoundResult(match.round, match.mode, match.flipped)
    so_far.kept = vec[i64]([players.scoring_completes(seat) for seat in range(SEAT_COUNT)])
    return tuple([int(match.points[seat] + so_far.points_of(seat)) for seat in range(SEAT_COUNT)])


def consequences(
    engine: AnyEngine, state: SwordState, seat: int, action: int
) -> Consequences | None:
    """The certain consequences of an action."""
    laid = state.clone()
    laid.lay_drawn_card(seat, action_numbers.row_of(action), action_numbers.side_of(action))
    is_risky = may_go_bust(laid)
    limit = count_before_draw if is_risky else None
    changes = None if is_risky else score_changes(state, laid)
    foresight = Foresight(engine, state, seat, action, CERTAIN_NEWS, limit)
    certain = foresight.consequences("points", player_name, changes)
    if certain is None:
        return None
    words = [effect_words(state, seat, action), gist(seat, certain.winners, None, "", player_name)]
    return replace(certain, text=", ".join([word for word in words if word]))


def may_go_bust(laid: SwordState) -> bool:
    """Whether a player may now draw a card that fits nowhere (R13)."""
    return laid.rows.is_closed_to_logical() and laid.players.next_with_cards(laid.turn) >= 0


def count_before_draw(foresight: Foresight, items: list[NewsItem]) -> int:
    """All before the next draw is certain, and nothing else."""
    for index in range(len(items)):
        if items[index].kind == "drew":
            return index
    return len(items)


def score_changes(state: SwordState, laid: SwordState) -> tuple[int | None, ...]:
    """The changes of all scores by a laid card; the end of a round only confirms them."""
    pairs = zip(scores(laid), scores(state), strict=True)
    return tuple([now - then for now, then in pairs])


def effect_words(state: SwordState, seat: int, action: int) -> str:
    """The cards collected or turned and the standing afterwards, in words."""
    row, side = action_numbers.row_of(action), SIDE_NAMES[action_numbers.side_of(action)]
    player = player_view(state.players, seat)
    return effect_text(effect_of(row_view(state, row), side, CARD_CODES[state.drawn], player))
