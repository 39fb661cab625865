"""Law of the Dice agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import find_engine, installed_versions
from tabularium_engines.law_of_the_dice.game_options import SecondOptions
from tabularium_engines.promises.variants import Table
from tests.referees import runner
from tests.referees.law_of_the_dice import (
    DICE,
    HIGHEST,
    SUITS,
    TURN_DIE,
    LawOfTheDiceReferee,
    Slot,
    Steps,
    rank_of,
    task,
)
from tests.referees.law_of_the_dice import action as as_json

pytestmark = pytest.mark.lane("referees", core=1)

Rulebook = LawOfTheDiceReferee
SHORT, LONG = 16, 500  # games of each version: all variants, and all numbers of seats
SHORT_CHAINS, LONG_CHAINS = 3, 250
SHORT_LEGS, LONG_LEGS = 12, 400
MOST_COUNTS: Final = 200  # R24
LOW_NUMBER: Final = 6
POINTS: Final = 10
POINTS_OF_CHAINS: Final = 4
HOUSE_RULES_SINCE: Final = 3


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT


class Callers(runner.Players):
    """Players who call a count in every turn, and rarely make a law."""

    WEIGHTS: Final = {"call_count": 1e6, "enact": 0.003, "draw": 1.0}

    def weight(self, action: Any) -> float:
        kind = action["type"].partition(".")[2]
        return self.WEIGHTS.get(kind, 0.01)


class Rollers(runner.Players):
    """Players who make laws on low numbers and roll low dice, so that many laws fire."""

    def weight(self, action: Any) -> float:
        kind = action["type"].partition(".")[2]
        if kind == "play":
            return {"A": 20.0, "K": 10.0, "5": 1.0}.get(rank_of(action["card"]), 0.1)
        if kind == "enact":
            return 1.0 if rank_of(action["card"]) in DICE else 0.2
        if kind == "put_number":
            return 10.0 if action["number"] <= LOW_NUMBER else 0.0
        return {"call_count": 0.02, "decline": 0.1}.get(kind, 1.0)


def chain_game(version: int, seed: int) -> runner.RefereedGame:
    """A long game in which laws and their numbers last: by the house rules, if it has them."""
    game = runner.refereed_game(Rulebook.slug, version, seed)
    lasting = "laws_kept" if version < HOUSE_RULES_SINCE else "house_rules"
    return runner.with_options(game, **{lasting: True}, points_to_win=POINTS_OF_CHAINS)


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees_on_chains(version: int, games_count: Callable[[int, int], int]) -> None:
    for seed in range(games_count(SHORT_CHAINS, LONG_CHAINS)):
        runner.check_game(Rulebook, chain_game(version, seed), Rollers)


def legs_game(seed: int) -> runner.RefereedGame:
    """A game of two legs that are won soon, in one of four variants."""
    table = Table(find_engine(Rulebook.slug, 2), SecondOptions(legs=2), 2)
    game = runner.RefereedGame(table, seed)
    kept, counted = seed % 2 == 1, ("both", "laws")[seed // 2 % 2]
    return runner.with_options(game, points_to_win=2, laws_kept=kept, counted=counted)


def check_legs(rulebook: type[Rulebook], games: int) -> None:
    """Compare the engine and a referee on games of two legs."""
    for seed in range(games):
        runner.check_game(rulebook, legs_game(seed), Callers)


def test_the_engine_agrees_on_legs(games_count: Callable[[int, int], int]) -> None:
    check_legs(Rulebook, games_count(SHORT_LEGS, LONG_LEGS))


class Tally(Rulebook):
    """The referee, with the last of its games."""

    last: Rulebook

    def start(self, seen: runner.Seen) -> None:
        Tally.last = self
        super().start(seen)


def test_the_engine_agrees_on_the_last_count() -> None:
    game = runner.refereed_game(Rulebook.slug, max(installed_versions(Rulebook.slug)), 0)
    game = runner.with_options(game, counted="laws", points_to_win=POINTS)
    assert runner.check_game(Tally, game, Callers) > MOST_COUNTS
    assert Tally.last.counts == MOST_COUNTS
    assert 0 < max(Tally.last.points) < POINTS


def renumber(self: Rulebook, seat: int, card: str, slot: Slot) -> None:
    """A law in place of another gets the 20."""
    Rulebook.enact(self, seat, card, slot)
    slot.number = HIGHEST


def ask_always(self: Rulebook, pending: Any, options: Any, is_action: bool = False) -> Steps:
    """Every choice is asked, also one with one answer."""
    return (yield from Rulebook.ask(self, pending, options, is_action=True))


def act_unasked(self: Rulebook, pending: Any, options: Any, is_action: bool = False) -> Steps:
    """A player who can only draw does so unasked."""
    return (yield from Rulebook.ask(self, pending, options))


def shift_anywhere(self: Rulebook, seat: int) -> Steps:
    """A number is raised or lowered to one that another slot has."""
    options = [
        as_json("shift_number", slot=index + 1, number=number)
        for index, slot in enumerate(self.tablets[seat])
        if slot.number is not None
        for number in (slot.number - 1, slot.number + 1)
        if 1 <= number <= HIGHEST
    ]
    if options:
        answer = yield from self.ask(task("shift", seat), options)
        self.tablets[seat][answer["slot"] - 1].number = answer["number"]


def trigger_from_turn(self: Rulebook, seat: int, die: int) -> None:
    """Laws take effect clockwise from the player on turn."""
    waiting = list(self.waiting)
    Rulebook.roll(self, seat, die)
    order = self.clockwise(self.turn)
    new = [place for place in self.waiting if place not in waiting]
    self.waiting = waiting + sorted(new, key=lambda place: order.index(place[0]))


def roll_unasked(self: Rulebook, owner: int, rank: str) -> Steps:
    """A dice law must be rolled."""
    if rank in DICE:
        self.roll(owner, DICE[rank])
    else:
        yield from Rulebook.trigger(self, owner, rank)


def trigger_again(self: Rulebook, seat: int, die: int) -> None:
    """A law is triggered as often as its number is rolled."""
    fired, self.fired = self.fired, set()
    Rulebook.roll(self, seat, die)
    self.fired |= fired


def stack_laws(self: Rulebook, seat: int, die: int) -> None:
    """A roll inside the chain precedes the laws that wait."""
    waiting, self.waiting = self.waiting, []
    Rulebook.roll(self, seat, die)
    self.waiting += waiting


def enact_seven(self: Rulebook, seat: int, skipped: int) -> None:
    """A played seven takes itself back."""
    Rulebook.take_discard(self, seat, 0)


def keep_the_caller(self: Rulebook) -> int:
    """A pending call survives the count of an empty pile."""
    caller = self.caller
    first = Rulebook.count_at_once(self)
    self.caller = caller
    return first


def score_nothing(self: Rulebook, suit: str) -> list[int]:
    """All players score if none has a card of the suit."""
    scorers = Rulebook.score(self, suit)
    if not scorers:
        self.points = [points + 1 for points in self.points]
    return scorers


def choose_next(self: Rulebook) -> int:
    """After the count of an empty pile the other reading of the version goes on."""
    first = Rulebook.count_at_once(self)
    return self.left_of(self.turn) if first == self.turn else self.turn


def clear_numbers(self: Rulebook) -> None:
    """Kept laws lose their numbers."""
    Rulebook.deal(self)
    for tablet in self.tablets:
        for slot in tablet:
            slot.number = None


def lose_the_number_card(self: Rulebook, seat: int, answer: dict[str, Any]) -> Steps:
    """A dice card spent on a number leaves the game."""
    yield from Rulebook.act(self, seat, answer)
    if answer["type"].endswith("put_number"):
        self.discard.pop()


def know_all(self: Rulebook, card: str, holder: int, witnesses: set[runner.Viewer]) -> None:
    """A known card stays known."""
    self.knowers[card] |= witnesses
    self.hands[holder].remove(card)


def forget_all(self: Rulebook, card: str, holder: int, witnesses: set[runner.Viewer]) -> None:
    """An only card is lost from sight, too."""
    self.hands[holder].append("")
    self.knowers[""] = set()
    Rulebook.move_unseen(self, card, holder, witnesses)
    self.hands[holder].remove("")


def is_free_for_others(self: Rulebook, seat: int, slot: int, number: int) -> bool:
    """A slot cannot be given the number that it has."""
    return Rulebook.is_free(self, seat, -1, number)


def aim_at_all(self: Rulebook, seat: int, rank: str) -> Steps:
    """A swap needs no card of one's own."""
    if rank == "8" and not self.hands[seat]:
        self.agenda.append(task("target", seat, power=rank))
    yield from Rulebook.aim(self, seat, rank)


def any_suit(self: Rulebook, pending: Any, options: Any, is_action: bool = False) -> Steps:
    """The last word may name any suit."""
    if pending["kind"] == "last_word" and len(options) == 2:
        options = [as_json("decide", suit=suit) for suit in SUITS.values()]
    return (yield from Rulebook.ask(self, pending, options, is_action))


def swap_two_numbers(self: Rulebook, seat: int) -> Steps:
    """Only two numbers can be swapped."""
    if sum(slot.number is not None for slot in self.tablets[seat]) != 1:
        yield from Rulebook.swap_numbers(self, seat)


def call_always(self: Rulebook, seat: int) -> Steps:
    """A player may call a count while another is pending."""
    pending = self.caller
    yield from Rulebook.take_turn(self, seat)
    if pending is not None:
        ends = [as_json("call_count"), as_json("end_turn")]
        yield from self.ask(task("close", seat), ends)


def begin_again(self: Rulebook) -> None:
    """The player who began the first leg begins the second."""
    Rulebook.begin_second_leg(self)
    self.starter = self.opener = self.left_of(self.opener)


def keep_laws(self: Rulebook) -> None:
    """Kept laws stay for the second leg."""
    tablets = self.tablets
    Rulebook.begin_second_leg(self)
    if self.options["laws_kept"]:
        self.tablets = tablets


def add_points(self: Rulebook) -> None:
    """The points of both legs decide."""
    Rulebook.find_winners(self)
    if self.winners and self.first_points:
        total = [sum(both) for both in zip(self.first_points, self.points, strict=True)]
        self.winners = [seat for seat in range(self.seats) if total[seat] == max(total)]


def stop_after_one_leg(self: Rulebook) -> None:
    """The second leg is not played if the first had a winner."""
    legs, self.legs = self.legs, self.leg
    Rulebook.find_winners(self)
    self.legs = legs


MISREADINGS: Final[Mapping[str, tuple[int, int, dict[str, Any]]]] = {
    "R4 a new law gets the 20": (1, 2, {"enact": renumber}),
    "R5 a number is not given again": (1, 0, {"is_free": is_free_for_others}),
    "R7 drawing with no hand is unasked": (1, 19, {"ask": act_unasked}),
    "R8 numbers may be equal": (1, 19, {"shift_number": shift_anywhere}),
    "R10 both slots need numbers": (1, 7, {"swap_numbers": swap_two_numbers}),
    "R12 a seven takes itself": (1, 1, {"take_discard": enact_seven}),
    "R13 an eight needs no card": (1, 19, {"aim": aim_at_all}),
    "R15 one answer is asked": (1, 0, {"ask": ask_always}),
    "R17 a law must roll": (1, 13, {"trigger": roll_unasked}),
    "R19 two calls": (1, 0, {"take_turn": call_always}),
    "R21 none is a tie": (1, 0, {"score": score_nothing}),
    "R22 the left of the caller": (
        1,
        0,
        {"first_after_call": lambda self, caller, scorers: self.left_of(caller)},
    ),
    "R22 the caller": (2, 0, {"first_after_call": lambda self, caller, scorers: caller}),
    "R25 the same player": (1, 19, {"count_at_once": choose_next}),
    "R25 the next player": (2, 13, {"count_at_once": choose_next}),
    "R26 the call stays": (1, 19, {"count_at_once": keep_the_caller}),
    "R27 kept laws lose their numbers": (1, 4, {"deal": clear_numbers}),
    "R30 cards stay known": (1, 7, {"move_unseen": know_all}),
    "R30 an only card is lost": (1, 73, {"move_unseen": forget_all}),
    "R33 any suit": (1, 0, {"ask": any_suit}),
    "R34 number cards vanish": (1, 0, {"act": lose_the_number_card}),
}


CHAIN_MISREADINGS: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "R16 laws follow the turn": (1, {"roll": trigger_from_turn}),
    "R18 laws fire again": (2, {"roll": trigger_again}),
    "R18 laws are stacked": (3, {"roll": stack_laws}),
}


def roll_after_acting(self: Rulebook, seat: int) -> Steps:
    """The die of a turn is its last."""
    self.has_house_rules = False
    yield from Rulebook.take_turn(self, seat)
    self.has_house_rules = True
    yield from self.roll_chain(seat, TURN_DIE)


HOUSE_MISREADINGS: Final[Mapping[str, dict[str, Any]]] = {
    "R39 the die comes last": {"take_turn": roll_after_acting},
    "R40 the last player may call": {"is_calm": lambda self: self.turns < self.seats},
    "R41 laws go back": {"keeps_laws": lambda self: False},
}


LEGS_MISREADINGS: Final[Mapping[str, dict[str, Any]]] = {
    "R35 the same player begins": {"begin_second_leg": begin_again},
    "R35 kept laws stay": {"begin_second_leg": keep_laws},
    "R35 one leg is enough": {"find_winners": stop_after_one_leg},
    "R36 points decide": {"find_winners": add_points},
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_ruling_is_found(name: str) -> None:
    version, seed, methods = MISREADINGS[name]
    game = runner.refereed_game(Rulebook.slug, version, seed)
    with pytest.raises(runner.Disagreement):
        runner.check_game(type("Misread", (Rulebook,), methods), game)


@pytest.mark.parametrize("name", CHAIN_MISREADINGS)
def test_a_misread_ruling_about_chains_is_found(name: str) -> None:
    seed, methods = CHAIN_MISREADINGS[name]
    with pytest.raises(runner.Disagreement):
        runner.check_game(type("Misread", (Rulebook,), methods), chain_game(1, seed), Rollers)


@pytest.mark.parametrize("name", HOUSE_MISREADINGS)
def test_a_misread_house_rule_is_found(name: str) -> None:
    rulebook = type("Misread", (Rulebook,), HOUSE_MISREADINGS[name])
    with pytest.raises(runner.Disagreement):
        runner.check_game(rulebook, chain_game(HOUSE_RULES_SINCE, 0), Rollers)


@pytest.mark.parametrize("name", LEGS_MISREADINGS)
def test_a_misread_ruling_about_legs_is_found(name: str) -> None:
    rulebook = type("Misread", (Rulebook,), LEGS_MISREADINGS[name])
    with pytest.raises(runner.Disagreement):
        check_legs(rulebook, SHORT_LEGS)
