"""Law agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import installed_versions
from tests.referees import runner
from tests.referees.law import LawReferee
from tests.referees.law_bills import Rules
from tests.referees.law_effects import Act, Steps, action

pytestmark = pytest.mark.lane("referees", core=1)

Rulebook = LawReferee
SHORT, LONG = 6, 500  # games of each version: all variants, and all numbers of seats
SHORT_LAWS, LONG_LAWS = 2, 250


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT


class Legislators(runner.Players):
    """Players who play Bills, and cards on top of others, whenever they can."""

    WEIGHTS: Final = {"top": 30.0, "reveal": 3.0, "ask": 0.1, "trade": 0.1, "straight_flush": 0.01}

    def weight(self, action: Any) -> float:
        kind = action["type"].partition(".")[2]
        return 100.0 if kind.startswith("bill_") else self.WEIGHTS.get(kind, 1.0)


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees_on_many_laws(
    version: int, games_count: Callable[[int, int], int]
) -> None:
    for seed in range(games_count(SHORT_LAWS, LONG_LAWS)):
        game = runner.refereed_game(Rulebook.slug, version, 2 * seed)
        runner.check_game(Rulebook, game, Legislators)


def bills_on_turn(self: Rulebook, seat: int) -> Iterable[Act]:
    """Only the player on turn may play a Bill."""
    acts = Rulebook.any_time(self, seat)
    return [act for act in acts if seat == self.turn or ".bill_" not in act["type"]]


def natural_fives(self: Rulebook, seat: int) -> Rules:
    """Fives are never wild."""
    return replace(Rulebook.rules(self, seat), any_rank=False, any_suit=False)


def hearts_optional(self: Rulebook, seat: int) -> Rules:
    """A straight needs no heart."""
    return replace(Rulebook.rules(self, seat), hearts=0)


def settle_hands_once(self: Rulebook) -> Steps:
    """Only the player who acted draws if their hand is empty."""
    yield from self.run_queue()
    yield from self.mend_piles()
    if not self.hands[self.actor] and self.pile_size():
        yield from self.draw(self.actor)
        yield from self.run_queue()
    self.find_winners()


def reshuffle_discards(self: Rulebook) -> None:
    """The trash stays aside while there are discards."""
    trash = self.trash
    if any(len(pile) > 1 for pile in self.piles):
        self.trash = set()
    Rulebook.reshuffle(self)
    self.trash = trash


def raise_one(self: Rulebook, seat: int) -> Steps:
    """Only the collector of Q♠ needs more."""
    raised = list(self.raised)
    number = self.doubled(seat)
    yield from Rulebook.event_qs(self, seat)
    self.raised = [count + number * (other == seat) for other, count in enumerate(raised)]


def needed_without_events(self: Rulebook, seat: int) -> int:
    """An Event does not count as a Law."""
    events = [card for card in self.laws[seat] if card[0] in "QK"]
    return Rulebook.needed(self, seat) + len(events)


def single_numbers(self: Rulebook, law: str, seat: int) -> int:
    """J♠ doubles nothing."""
    return int(self.applies(law, seat))


def take_without_drawing(self: Rulebook, seat: int, act: Act) -> Steps:
    """A card taken from the draw pile is not drawn."""
    queue = list(self.queue)
    yield from Rulebook.do_take(self, seat, act)
    self.queue = queue


def stack_triggers(self: Rulebook, seat: int, card: str, laws: list[str]) -> None:
    """The last Law that was set off comes first."""
    Rulebook.set_off(self, seat, card, laws)
    if laws and len(self.queue) > 2:
        self.queue.insert(1, self.queue.pop())


def draw_from_turn(self: Rulebook, seat: int, law: str) -> Steps:
    """When every player draws, the player on turn is the first."""
    if law != "6D":
        yield from Rulebook.run_law(self, seat, law)
        return
    for other in self.clockwise(self.turn):
        for _ in range(self.amount(law, seat)):
            yield from self.draw(other)


def aim_at_others(self: Rulebook, seat: int, options: list[Act]) -> Steps:
    """No player chooses themselves."""
    others = [act for act in options if act != action("choose_seat", seat=seat)]
    return (yield from Rulebook.ask(self, seat, others))


def pass_hands_right(self: Rulebook) -> None:
    """Hands go to the right."""
    self.hands = [*self.hands[1:], *self.hands[:1]]


def hide_the_top(self: Rulebook, law: str, viewer: runner.Viewer) -> bool:
    """Onlookers do not see the top card of the draw pile."""
    return Rulebook.applies(self, law, viewer) and (law != "9S" or viewer is not None)


def unite_on_top(self: Rulebook) -> None:
    """The other piles go on top of the first."""
    number = max(max(self.piles_of(seat)) for seat in range(self.seats))
    while len(self.piles) > number:
        self.piles[0] += self.piles.pop(1)
    Rulebook.match_piles(self)


def unite_under_the_first(self: Rulebook) -> None:
    """The other piles go under the first, also if a second one stays."""
    number = max(max(self.piles_of(seat)) for seat in range(self.seats))
    while len(self.piles) > number:
        self.piles[0] = self.piles.pop(number) + self.piles[0]
    Rulebook.match_piles(self)


def count_first(self: Rulebook, seat: int, act: Act) -> Steps:
    """10♣ counts a hand before the draw pile is filled."""
    excess = len(self.hands[seat]) - 6 * self.amount("10C", seat)
    if act["duty"] != "discard_down":
        yield from Rulebook.do_attend(self, seat, act)
        return
    self.duties.remove("discard_down")
    yield from self.mend_piles()
    yield from self.make_discard(seat, excess)


def forget_at_a_look(self: Rulebook, seen: runner.Seen) -> None:
    """The look of one player at the top ends what others know of the draw pile."""
    version, self.version = self.version, 1
    Rulebook.look_at_top(self, seen)
    self.version = version


def sole_poorest(self: Rulebook, seat: int) -> bool:
    """A player who is level with another does not have the fewest Laws."""
    sizes = [len(laws) for laws in self.laws]
    return sizes[seat] == min(sizes) and sizes.count(min(sizes)) == 1


def gain_more(self: Rulebook, seat: int, number: int) -> Steps:
    """J♣ doubles no Law."""
    for _ in range(number):
        options = [action("collect", pile=p) for p in (0, *self.piles_of(seat))]
        answer = yield from self.ask(seat, options)
        yield from self.collect(seat, answer["pile"])


def ask_for_all(self: Rulebook, seat: int) -> list[str]:
    """Cards that lie in the discard pile may be asked for."""
    return [*Rulebook.askable(self, seat), *(card for pile in self.piles for card in pile)]


def bind_all(self: Rulebook, law: str, viewer: runner.Viewer) -> bool:
    """A Law that was bound to one player binds every player."""
    return any(law in laws for laws in self.laws)


def return_to_trash(self: Rulebook, seat: int) -> Steps:
    """Laws given back go to the trash."""
    before = {card for laws in self.laws for card in laws}
    yield from Rulebook.event_qc(self, seat)
    returned = before - {card for laws in self.laws for card in laws}
    self.trash |= returned
    self.pile -= returned


def keep_ks(self: Rulebook, seat: int) -> Steps:
    """K♠ stays."""
    yield from Rulebook.event_ks(self, seat)
    self.laws[seat]["KS"] = None
    self.pile.discard("KS")


def remove_threes(self: Rulebook, ranks: str) -> None:
    """Fours stay in the game."""
    Rulebook.remove_ranks(self, "3")


def keep_laws(self: Rulebook, seat: int) -> Steps:
    """Q♥ replaces only the Laws of its collector."""
    laws = [dict(laws) for laws in self.laws]
    for other, theirs in enumerate(self.laws):
        if other != seat:
            theirs.clear()
    yield from Rulebook.event_qh(self, seat)
    self.laws = [mine if s == seat else laws[s] for s, mine in enumerate(self.laws)]


def remember_all(
    self: Rulebook, holder: int, cards: list[str], witnesses: set[runner.Viewer]
) -> None:
    """A known card stays known."""
    for card in cards:
        self.knowers[card] = self.knowers[card] | witnesses


def ask_always(self: Rulebook, seat: int, options: list[Act]) -> Steps:
    """Every choice is asked, also one with one answer."""
    self.asked = {seat: options}
    _, answer = yield
    self.asked = {}
    return answer


def keep_duties(self: Rulebook, duty: str) -> bool:
    """A duty without cards is still owed."""
    return True


def steal_at_will(self: Rulebook) -> bool:
    """A♣ is optional."""
    return False


def two_of_a_suit(self: Rulebook, seat: int) -> tuple[str, str, str, str]:
    """A suit is one with its neighbour, and not with the neighbour of that."""
    pairs = {"5S": "SC", "5C": "DC", "5D": "HD", "5H": "SH"}
    classes = {pair[1]: pair[0] for law, pair in pairs.items() if self.applies(law, seat)}
    return "S", classes.get("H", "H"), classes.get("D", "D"), classes.get("C", "C")


MISREADINGS: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "R5 Bills only on turn": (1, {"any_time": bills_on_turn}),
    "R8 fives are fives": (0, {"rules": natural_fives}),
    "3♥ hearts are optional": (13, {"rules": hearts_optional}),
    "R10 only the actor draws": (14, {"settle": settle_hands_once}),
    "R12 the trash stays aside": (1, {"reshuffle": reshuffle_discards}),
    "R15 only the collector needs more": (8, {"event_qs": raise_one}),
    "R16 Events do not count": (0, {"needed": needed_without_events}),
    "R21 nothing is doubled": (0, {"amount": single_numbers}),
    "R23 suits are not transitive": (14, {"suit_classes": two_of_a_suit}),
    "R26 taking is not drawing": (6, {"do_take": take_without_drawing}),
    "R28 last come, first served": (4, {"set_off": stack_triggers}),
    "R29 the player on turn draws first": (4, {"run_law": draw_from_turn}),
    "R30 never oneself": (2, {"ask": aim_at_others}),
    "R31 hands go right": (2, {"pass_hands": pass_hands_right}),
    "R34 onlookers see no top": (3, {"applies": hide_the_top}),
    "R37 piles go on top": (4, {"match_piles": unite_on_top}),
    "R37 piles go under the first": (110, {"match_piles": unite_under_the_first}),
    "R39 10♣ counts first": (21, {"do_attend": count_first}),
    "R40 level is not fewest": (0, {"is_poorest": sole_poorest}),
    "R42 one Law at a time": (4, {"gain": gain_more}),
    "R45 A♣ is optional": (2, {"must_steal": steal_at_will}),
    "R47 cards in sight": (0, {"askable": ask_for_all}),
    "R49 a bound Law binds all": (230, {"applies": bind_all}),
    "R52 Laws go into the trash": (2, {"event_qc": return_to_trash}),
    "R53 fours stay": (0, {"remove_ranks": remove_threes}),
    "R54 only the collector's Laws": (0, {"event_qh": keep_laws}),
    "R55 K♠ stays": (0, {"event_ks": keep_ks}),
    "R60 cards stay known": (1, {"lose_track": remember_all}),
    "R60 a look ends knowledge": (170, {"look_at_top": forget_at_a_look}),
    "R62 one answer is asked": (0, {"ask": ask_always}),
    "R66 duties without cards stay": (2, {"is_doable": keep_duties}),
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_ruling_is_found(name: str) -> None:
    seed, methods = MISREADINGS[name]
    game = runner.refereed_game(Rulebook.slug, 2, seed)
    with pytest.raises(runner.Disagreement):
        runner.check_game(type("Misread", (Rulebook,), methods), game)
