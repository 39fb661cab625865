"""The play generator: every suggested play is legal, and no play of one or two cards is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.action_numbers import FINISH, MORE, PLACE
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE, ZONE_TABLE
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.duel_of_law.placement_rules import is_lawful
from tabularium_engines.duel_of_law.tableau import Tableau, place_after
from tabularium_engines.heuristics.duel_of_law_turns.play_generator import PlayGenerator
from tests.engines.duel_of_law.tables import FIRST

CardPlaces = frozenset[tuple[int, int]]  # cards and their places


def positions(
    count: int, max_cards: int = 162, min_hand: int = 1
) -> Iterator[tuple[DuelState, int]]:
    """A number of positions from random games, each at the beginning of a turn, within limits on
    the cards on the table and in hand."""
    seed = 0
    while count > 0:
        rng = FastRng(seed)
        state = FIRST.start(Options(), 2 + seed % 3, rng)
        while state.to_act and count > 0:
            seat = FIRST.awaited_seats(state)[0]
            is_suitable = (
                10 <= state.zones.count(ZONE_TABLE) <= max_cards
                and state.zones.count(seat) >= min_hand
            )
            if not state.turn.has_trial() and is_suitable and rng.below(8) == 0:
                yield state.clone(), seat
                count -= 1
            state.apply(seat, state.random_action(seat, rng), rng)
        seed += 1


def reduce_hand(state: DuelState, seat: int, count: int) -> list[i64]:
    """Reduce a seat's hand to a number of cards, keeping jokers first."""
    hand = sorted(state.zones.cards(seat), key=lambda card: (card < 156, card * 7 % 11))
    for card in hand[count:]:
        state.zones.zone_of[card] = ZONE_PILE
    return state.zones.cards(seat)


def is_legal_play(tableau: Tableau, cards: tuple[i64, ...], places: tuple[i64, ...]) -> bool:
    """Whether these cards may be laid at these places, by checking the whole tableau."""
    trial = tableau.clone()
    for card, place in zip(cards, places, strict=True):
        trial.lay(card, place)
    return is_lawful(trial, vec[i64](cards))


def place_pairs(tableau: Tableau) -> set[tuple[i64, i64]]:
    """All pairs of places in one line with only cards between them, one of which touches a card."""
    pairs = set()
    for place in tableau.border_places():
        for axis in range(2):
            for step in (-1, 1):
                other = place_after(place, axis, step)
                while tableau.card_at(other) >= 0:
                    other = place_after(other, axis, step)
                pairs.add((min(place, other), max(place, other)))
    return pairs


def all_short_plays(tableau: Tableau, hand: list[i64]) -> set[CardPlaces]:
    """Every legal play of one or two cards, found by exhaustive search."""
    plays = {
        frozenset({(int(card), int(place))})
        for place in tableau.border_places()
        for card in hand
        if is_legal_play(tableau, (card,), (place,))
    }
    for places in place_pairs(tableau):
        for cards in permutations(hand, 2):
            if is_legal_play(tableau, cards, places):
                plays.add(frozenset((int(c), int(p)) for c, p in zip(cards, places, strict=True)))
    return plays


def test_all_plays_of_one_or_two_cards_are_found(games_count: Callable[[int, int], int]) -> None:
    count = games_count(6, 500)
    for state, seat in positions(count, max_cards=40 if count < 10 else 162, min_hand=3):
        hand = reduce_hand(state, seat, 3)
        plays = [
            frozenset((int(c), int(p)) for c, p in zip(play.cards, play.places, strict=True))
            for play in PlayGenerator(state.turn.tableau, hand, seat).one_and_two_card_plays()
        ]
        assert len(plays) == len(set(plays))
        assert set(plays) == all_short_plays(state.turn.tableau, hand)


def test_every_play_can_be_made_step_by_step(games_count: Callable[[int, int], int]) -> None:
    for state, seat in positions(games_count(3, 60), max_cards=40, min_hand=3):
        generator = PlayGenerator(state.turn.tableau, reduce_hand(state, seat, 3), seat)
        plays = generator.one_and_two_card_plays()
        for play in plays[:: max(1, len(plays) // 12)]:
            trial = state.clone()
            for index, step in enumerate(play.steps()):
                if index:
                    assert MORE in trial.legal_actions(seat)
                    trial.apply(seat, MORE, FastRng(0))
                assert step & 0xFF == PLACE
                assert step in trial.legal_actions(seat)
                trial.apply(seat, step, FastRng(0))
            assert FINISH in trial.legal_actions(seat)
