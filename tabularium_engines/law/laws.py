"""The 52 Laws of the printed table: for each its text, its number, and how it changes the game;
and the parameters of the rules under the Laws in force.

All queens and kings are events. Steps that an event cannot take at once are pushed on the agenda,
the last step first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, has
from tabularium_engines.common.playing_cards import CARD_CODES, CLUBS, DIAMONDS, HEARTS, SPADES
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import bill_combinations, card_knowledge, card_moves
from tabularium_engines.law.cards import FIVES, THREES_AND_FOURS, card_codes
from tabularium_engines.law.rule_parameters import RuleParameters
from tabularium_engines.law.table_state import LawTable

# Functions of Laws. They are given the Law's number, doubled if numbers are doubled.
Amendment: TypeAlias = "Callable[[RuleParameters, i64], None]"
Effect: TypeAlias = "Callable[[LawTable, i64, i64], None]"  # for the seat that has set it off
Triggers: TypeAlias = "Callable[[RuleParameters], i64]"  # a set of cards


@dataclass(frozen=True)
class Law:
    """The Law of one card, and the one or two ways in which it changes the game."""

    code: str
    text: str  # {n}: the number, {half}: half of it, {s}: an s for the plural
    number: int = 0
    amend: Amendment | None = None  # changes the parameters of a player bound by the Law
    drawn: Triggers | None = None  # the cards that set the Law off when they are drawn
    discarded: Triggers | None = None  # … when they are discarded
    fire: Effect | None = None  # runs when the Law has been set off, or its duty begun
    event: Effect | None = None  # runs when the Law has been collected
    is_doubling: bool = False

    @property
    def is_event(self) -> bool:
        """Whether the Law happens once, when it is collected."""
        return self.event is not None

    def number_under(self, terms: RuleParameters) -> i64:
        """The Law's number under these parameters."""
        return 2 * self.number if terms.has_doubled_numbers else self.number  # R21

    def wording(self, doubled: bool) -> str:
        """The Law in words, with its number doubled or not."""
        number = self.number * (2 if doubled else 1)
        plural = "" if number == 1 else "s"
        return self.text.format(n=number, half=number // 2, s=plural)


# -- amendments -----------------------------------------------------------------------------------


def sets(parameter: str, value: object = True) -> Amendment:
    """A parameter gets a value."""
    return lambda terms, number: setattr(terms, parameter, value)


def sets_number(parameter: str) -> Amendment:
    """A parameter becomes the Law's number."""
    return lambda terms, number: setattr(terms, parameter, number)


def adds_to(parameter: str) -> Amendment:
    """The Law's number is added to a parameter."""
    return lambda terms, number: setattr(terms, parameter, getattr(terms, parameter) + number)


def resizes(sign: i64, *shapes: i64) -> Amendment:
    """Bills of some shapes need more cards, or fewer if the sign is negative."""

    def amend(terms: RuleParameters, number: i64) -> None:
        for shape in shapes:
            terms.sizes[shape] = terms.sizes[shape] + sign * number

    return amend


def bans(shape: i64) -> Amendment:
    """Bills of a shape are banned."""
    return lambda terms, number: setattr(terms, "banned", terms.banned | bit(shape))


def joins(suit: i64, other: i64) -> Amendment:
    """Two suits become the same."""
    return lambda terms, number: terms.join_suits(suit, other)


def owes(duty: i64) -> Amendment:
    """A duty is owed at the end of a turn, with the Law's number of cards."""

    def amend(terms: RuleParameters, number: i64) -> None:
        terms.duties[duty] = number

    return amend


def collect_more(terms: RuleParameters, number: i64) -> None:
    """A Bill collects several Laws, and the player needs as many more."""
    terms.collects = number
    terms.needed += number


# -- triggers -------------------------------------------------------------------------------------


def fives(terms: RuleParameters) -> i64:
    """The four fives."""
    return FIVES


def suit_cards(suit: i64) -> Triggers:
    """The cards of a suit, and of suits that are the same."""
    return lambda terms: terms.suits[suit]


spades = suit_cards(SPADES)
hearts = suit_cards(HEARTS)
diamonds = suit_cards(DIAMONDS)
clubs = suit_cards(CLUBS)


# -- effects --------------------------------------------------------------------------------------


def asks(task: i64) -> Effect:
    """The seat gets a task for the Law's number of cards."""
    return lambda state, seat, number: state.agenda.push(task, seat, n.encode_subject(number))


def repeats(task: i64) -> Effect:
    """The seat gets a task as often as the Law's number says."""

    def effect(state: LawTable, seat: i64, number: i64) -> None:
        for _ in range(number):
            state.agenda.push(task, seat)

    return effect


draw = asks(n.TASK_DRAW)
aim = asks(n.TASK_AIM)


def everybody_draws(state: LawTable, seat: i64, number: i64) -> None:
    """Every player draws."""
    state.push_for_all(n.TASK_DRAW, seat, number)


def pass_hands(state: LawTable, seat: i64, number: i64) -> None:
    """All hands go one seat to the left."""
    hands = state.hands[:]
    for giver in range(state.seats):
        hands[state.left_of(giver)] = state.hands[giver]  # R31
    card_moves.replace_hands(state, hands)
    state.add_news("hands_passed", seat, {})


def discard_down(state: LawTable, seat: i64, number: i64) -> None:
    """The seat discards until it holds this number of cards."""
    excess = count(state.hands[seat]) - number
    if excess > 0:  # R39
        state.agenda.push(n.TASK_DISCARD, seat, n.encode_subject(excess))


def everybody_collects(state: LawTable, seat: i64, number: i64) -> None:
    """Every player collects Laws, and needs as many more."""
    for each in range(state.seats):
        state.raised[each] = state.raised[each] + number
    state.add_news("raised", seat, {"by": int(number)})
    state.push_for_all(n.TASK_GAIN, seat, number)


def remove_threes_and_fours(state: LawTable, seat: i64, number: i64) -> None:
    """All threes and fours leave the game."""
    cards = THREES_AND_FOURS & state.deck
    card_moves.repeal(state, cards)
    card_knowledge.lay_open(state, cards)
    for each in range(state.seats):
        state.hands[each] = state.hands[each] & ~cards
    state.piles.remove_from_game(cards)
    state.add_news("removed", state.chain.actor, {"cards": card_codes(cards)})


def replace_all_laws(state: LawTable, seat: i64, number: i64) -> None:
    """All Laws go to the trash; their owners get as many new ones, `seat` first."""
    for step in range(state.seats):
        owner = (seat + state.seats - 1 - step) % state.seats
        state.agenda.push(n.TASK_GRANT, owner, n.encode_subject(count(state.laws[owner])))
    cards = state.collected_cards()
    card_moves.repeal(state, cards)
    card_moves.throw_away(state, cards)
    state.add_news("replaced_all", seat, {})


def bind_laws(state: LawTable, seat: i64, number: i64) -> None:
    """Laws are bound to one player; by version 1, each to a player of its own."""
    if state.rulings.binds_to_one_player:  # R58
        state.agenda.push(n.TASK_BIND, seat, n.encode_subject(number))
    else:
        repeats(n.TASK_BIND)(state, seat, number)


def collect_from_hand(state: LawTable, seat: i64, number: i64) -> None:
    """The king of spades is shuffled into the draw pile, and cards of the hand become Laws."""
    if state.hands[seat] != 0:  # R55
        repeats(n.TASK_SUBSTITUTE)(state, seat, number)
        state.agenda.push(n.TASK_RECYCLE, seat, n.encode_subject(0, -1, CARD_CODES.index("KS")))


# -- the printed table, row by row (R63) ----------------------------------------------------------

LAWS: Final[list[Law]] = [
    Law("2S", "Three of a kind needs {n} card{s} less.", 1, resizes(-1, n.SHAPE_KIND)),
    Law("2C", "A straight needs {n} card{s} less.", 1, resizes(-1, n.SHAPE_STRAIGHT)),
    Law("2D", "A flush needs {n} card{s} less.", 1, resizes(-1, n.SHAPE_FLUSH)),
    Law("2H", "Every Bill needs {n} card{s} less.", 1, resizes(-1, *range(n.BILL_SHAPE_COUNT))),
    Law("3S", "Three of a kind needs {n} card{s} more.", 1, resizes(1, n.SHAPE_KIND)),
    Law("3C", "A straight needs {n} card{s} more.", 1, resizes(1, n.SHAPE_STRAIGHT)),
    Law("3D", "A flush needs {n} card{s} more.", 1, resizes(1, n.SHAPE_FLUSH)),
    Law("3H", "Each straight must have {n} heart{s} in it.", 1, adds_to("hearts")),
    Law("4S", "Equal ranks are no Bill any more.", 0, bans(n.SHAPE_KIND)),
    Law("4C", "Straights are no Bills any more.", 0, bans(n.SHAPE_STRAIGHT)),
    Law("4D", "Flushes are no Bills any more.", 0, bans(n.SHAPE_FLUSH)),
    Law("4H", "Whoever plays a straight flush wins the game.", 0, sets("straight_flush_wins")),
    Law("5S", "♠ and ♣ are one suit.", 0, joins(SPADES, CLUBS)),
    Law("5C", "♣ and ♦ are one suit.", 0, joins(CLUBS, DIAMONDS)),
    Law("5D", "♦ and ♥ are one suit.", 0, joins(DIAMONDS, HEARTS)),
    Law("5H", "♥ and ♠ are one suit.", 0, joins(HEARTS, SPADES)),
    Law("6S", "A five can stand for any rank.", 0, sets("wild_ranks", FIVES)),
    Law("6C", "A five can stand for any suit.", 0, sets("wild_suits", FIVES)),
    Law("6D", "If you draw a five, everybody draws {n}.", 1, drawn=fives, fire=everybody_draws),
    Law(
        "6H",
        "If you discard a five, all hands go one seat to the left.",
        discarded=fives,
        fire=pass_hands,
    ),
    Law("7S", "If you draw a spade, draw {n}.", 1, drawn=spades, fire=draw),
    Law("7C", "If you draw a club, choose a player who discards {n}.", 1, drawn=clubs, fire=aim),
    Law("7D", "If you discard a diamond, draw {n}.", 1, discarded=diamonds, fire=draw),
    Law(
        "7H",
        "If you discard a heart, choose a player who discards {n}.",
        1,
        discarded=hearts,
        fire=aim,
    ),
    Law("8S", "End of turn: pass {n} card{s} to the right.", 1, owes(n.DUTY_PASS_RIGHT)),
    Law("8C", "End of turn: pass {n} card{s} to the left.", 1, owes(n.DUTY_PASS_LEFT)),
    Law("8D", "End of turn: swap {n} card{s} with your left neighbour.", 1, owes(n.DUTY_SWAP_LEFT)),
    Law(
        "8H", "End of turn: swap {n} card{s} with your right neighbour.", 1, owes(n.DUTY_SWAP_RIGHT)
    ),
    Law("9S", "The draw pile lies face up.", 0, sets("sees_pile")),
    Law("9C", "The discard pile lies face down.", 0, sets("is_blind")),
    Law("9D", "There are {n} discard piles.", 2, sets_number("piles")),
    Law("9H", "You may discard onto the draw pile.", 0, sets("may_bury")),
    Law("10S", "Start of turn: take {n} more.", 1, adds_to("takes")),
    Law(
        "10C",
        "End of turn: discard until you hold {n}.",
        6,
        owes(n.DUTY_DISCARD_DOWN),
        fire=discard_down,
    ),
    Law("10D", "Fewest Laws: discard {n} less each turn.", 1, adds_to("spared_of_fewest")),
    Law("10H", "Fewest Laws: take {n} more each turn.", 1, adds_to("takes_of_fewest")),
    Law("JS", "Numbers on all Laws are doubled.", is_doubling=True),  # R22: not its own
    Law("JC", "If you collect, collect {n}. You need {n} Laws more.", 2, collect_more),
    Law("JD", "Most Laws: play with an open hand.", 0, sets("is_open_with_most")),
    Law("JH", "Most Laws: discard {n} more each turn.", 1, adds_to("discards_of_most")),
    Law("QS", "Everybody collects {n} Law{s} and needs {n} more.", 1, event=everybody_collects),
    Law("QC", "Everybody gives {n} of their Laws back to the deck.", 1, event=asks(n.TASK_RETURN)),
    Law("QD", "All threes and fours leave the game.", event=remove_threes_and_fours),
    Law("QH", "All Laws are replaced at random.", event=replace_all_laws),
    Law("KS", "Collect {n} card{s} from your hand instead.", 1, event=collect_from_hand),
    Law("KC", "Choose two players who swap hands.", event=asks(n.TASK_FIRST_SEAT)),
    Law("KD", "Choose {n} Law{s}, to be replaced at random.", 1, event=repeats(n.TASK_REPLACE)),
    Law("KH", "Choose {n} Law{s} and a player; it binds only them.", 1, event=bind_laws),
    Law(
        "AS",
        "Not on your turn: play the next rank on the discard pile to draw {n}.",
        3,
        sets_number("topping"),
    ),
    Law("AC", "Your turn: look at a hand and steal {n} card{s}.", 1, sets_number("steals")),
    Law("AD", "At any time: discard {n} to draw {half}.", 2, sets_number("trade_cost")),
    Law(
        "AH",
        "Your turn, {n} time{s}: ask a player for a card; it is yours if they have it.",
        1,
        sets_number("asks"),
    ),
]

CARDS_IN_TABLE_ORDER: Final[vec[i64]] = vec[i64]([CARD_CODES.index(law.code) for law in LAWS])
LAW_BY_CODE: Final[dict[str, Law]] = {law.code: law for law in LAWS}
LAW_BY_CARD: Final[list[Law]] = [LAW_BY_CODE[code] for code in CARD_CODES]  # by card
EVENT_CARDS: Final[i64] = sum(bit(card) for card in range(52) if LAW_BY_CARD[card].is_event)
DOUBLING_CARDS: Final[i64] = sum(bit(card) for card in range(52) if LAW_BY_CARD[card].is_doubling)

# -- Laws in force --------------------------------------------------------------------------------


def update_parameters(state: LawTable) -> None:
    """Recompute the parameters that the collected Laws give each player and an onlooker."""
    state.has_stale_parameters = False
    shared = state.collected_cards() & ~EVENT_CARDS  # R16
    for own in state.bound:
        shared &= ~own
    everybody = parameters_under(shared)
    state.parameters = [
        everybody if own == 0 else parameters_under(shared | own) for own in [*state.bound, 0]
    ]
    state.piles_required = state.draw_pile_viewers = state.discard_pile_viewers = 0
    for viewer, terms in enumerate(state.parameters):
        state.piles_required = max(state.piles_required, terms.piles)
        if terms.sees_pile:
            state.draw_pile_viewers |= bit(viewer)
        if not terms.is_blind:
            state.discard_pile_viewers |= bit(viewer)
    state.is_stuck = all(is_stuck(state, seat) for seat in range(state.seats))


def is_stuck(state: LawTable, seat: i64) -> bool:
    """Whether a seat can never play a Bill again, unless the Laws change."""
    terms = state.parameters[seat]
    if not state.rulings.counts_cards:
        return terms.are_bills_banned()
    return len(bill_combinations.bill_actions(state.cards_for_bills(), terms)) == 0  # R17


def parameters_under(laws: i64) -> RuleParameters:
    """The parameters that a set of Laws gives a player bound by all of them."""
    terms = RuleParameters()
    terms.laws = laws
    cards = [card for card in CARDS_IN_TABLE_ORDER if has(laws, card)]
    terms.has_doubled_numbers = laws & DOUBLING_CARDS != 0
    for card in cards:
        law = LAW_BY_CARD[card]
        if law.amend is not None:
            law.amend(terms, law.number_under(terms))
    for card in cards:  # only now is it known which suits are the same
        law = LAW_BY_CARD[card]
        if law.drawn is not None:
            terms.drawn_laws = append(terms.drawn_laws, card)
            terms.drawn_cards = append(terms.drawn_cards, law.drawn(terms))
        if law.discarded is not None:
            terms.discarded_laws = append(terms.discarded_laws, card)
            terms.discarded_cards = append(terms.discarded_cards, law.discarded(terms))
    return terms
