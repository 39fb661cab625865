"""The play generator: every suggested play is legal, and those of one or two cards are complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.rng import FastRng
from games.engines.duel_of_law import ENGINE
from games.engines.duel_of_law.decision_codes import FINISH, MORE, PLACE
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import Options
from games.engines.duel_of_law.placement_rules import is_lawful
from games.engines.duel_of_law.play_generator import short_plays
from games.engines.duel_of_law.table_state import ZONE_PILE, ZONE_TABLE
from games.engines.duel_of_law.tableau import Tableau, place_after

Laid = frozenset[tuple[int, int]]  # cards and their places


def positions(number: int, most: int = 162, hand: int = 1) -> Iterator[tuple[DuelState, int]]:
    """A number of positions from random games, each at the beginning of a turn, within limits on
    the cards on the table and in hand."""
    seed = 0
    while number > 0:
        rng = FastRng(seed)
        state = ENGINE.start(Options(), 2 + seed % 3, rng)
        while state.to_act and number > 0:
            seat = ENGINE.awaited_seats(state)[0]
            is_fit = (
                10 <= state.count_in_zone(ZONE_TABLE) <= most and state.count_in_zone(seat) >= hand
            )
            if not state.has_trial() and is_fit and rng.below(8) == 0:
                yield state.clone(), seat
                number -= 1
            state.apply(seat, state.random_action(seat, rng), rng)
        seed += 1


def with_hand(state: DuelState, seat: int, number: int) -> list[i64]:
    """Reduce a seat's hand to a number of cards, keeping jokers first."""
    hand = sorted(state.cards_in_zone(seat), key=lambda card: (card < 156, card * 7 % 11))
    for card in hand[number:]:
        state.zones[card] = ZONE_PILE
    return state.cards_in_zone(seat)


def tried(tableau: Tableau, cards: tuple[i64, ...], places: tuple[i64, ...]) -> bool:
    """Whether these cards may be laid at these places, by checking the whole tableau."""
    trial = tableau.clone()
    for card, place in zip(cards, places, strict=True):
        trial.lay(card, place)
    return is_lawful(trial, vec[i64](cards))


def pairs(tableau: Tableau) -> set[tuple[i64, i64]]:
    """All pairs of places in one line with only cards between them, one of which touches a card."""
    found = set()
    for place in tableau.border_places():
        for axis in range(2):
            for step in (-1, 1):
                other = place_after(place, axis, step)
                while tableau.card_at(other) >= 0:
                    other = place_after(other, axis, step)
                found.add((min(place, other), max(place, other)))
    return found


def all_short_plays(tableau: Tableau, hand: list[i64]) -> set[Laid]:
    """Every legal play of one or two cards, found by exhaustive search."""
    found = {
        frozenset({(int(card), int(place))})
        for place in tableau.border_places()
        for card in hand
        if tried(tableau, (card,), (place,))
    }
    for places in pairs(tableau):
        for cards in permutations(hand, 2):
            if tried(tableau, cards, places):
                found.add(frozenset((int(c), int(p)) for c, p in zip(cards, places, strict=True)))
    return found


def test_all_plays_of_one_card_and_two_are_found(games_count: Callable[[int, int], int]) -> None:
    number = games_count(6, 500)
    for state, seat in positions(number, most=40 if number < 10 else 162, hand=3):
        hand = with_hand(state, seat, 3)
        found = [
            frozenset((int(c), int(p)) for c, p in zip(play.cards, play.places, strict=True))
            for play in short_plays(state.tableau, hand)
        ]
        assert len(found) == len(set(found))
        assert set(found) == all_short_plays(state.tableau, hand)


def test_every_play_can_be_made_step_by_step(games_count: Callable[[int, int], int]) -> None:
    for state, seat in positions(games_count(3, 60), most=40, hand=3):
        plays = short_plays(state.tableau, with_hand(state, seat, 3))
        for play in plays[:: max(1, len(plays) // 12)]:
            trial = state.clone()
            for number, step in enumerate(play.steps()):
                if number:
                    assert MORE in trial.legal_actions(seat)
                    trial.apply(seat, MORE, FastRng(0))
                assert step & 0xFF == PLACE
                assert step in trial.legal_actions(seat)
                trial.apply(seat, step, FastRng(0))
            assert FINISH in trial.legal_actions(seat)


def test_random_players_lay_lawfully_and_come_to_an_end() -> None:
    for seed in range(3):
        rng = FastRng(seed)
        state = ENGINE.start(Options(), 2 + seed, rng)
        steps = 0
        while state.to_act:
            seat = ENGINE.awaited_seats(state)[0]
            action = state.random_action(seat, rng)
            if steps % 8 == 0:
                assert action in state.legal_actions(seat)
            state.apply(seat, action, rng)
            steps += 1
        assert steps < 2000
