"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tabularium_engines.common.english_text import join_words, pluralize
from tabularium_engines.duel_edged_sword.actions import Card
from tabularium_engines.duel_edged_sword.card_counts import ALL_COMPLETES, ALL_KINDS, faces_in
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, COMPLETE_CODES, KIND_CODES
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.news_text import (
    card_text,
    player_name,
    points_text,
    round_winners,
    sides_text,
)
from tabularium_engines.duel_edged_sword.players import STANDING_NAMES, standing_with
from tabularium_engines.duel_edged_sword.round_setup import SET_ASIDE_COUNT
from tabularium_engines.duel_edged_sword.view import Laid, Player, Round, View, tally_of

LOGICAL_CODES: Final = ("true", "false")
COPIES_IN_DECK: Final = Counter(CARD_CODES[face] for face in faces_in(ALL_COMPLETES, ALL_KINDS))
EFFECT_TEXTS: Final = {"collect": "collect {cards}", "turn": "turn {cards} face down", "": ""}
STANDING_TEXTS: Final = {
    "out": "out (three of a kind)",
    "cut": "out, no points (four of a kind)",
    "bust": "bust, no points",
}


def variant_text(options: Options) -> str:
    """The variant, in a sentence."""
    modes = {"flipped": "The flipped card says who plays with whom", "teams": "Teams"}
    mode = modes.get(options.mode, f"{options.mode.capitalize()} rounds")
    deal = "all cards dealt" if options.deal == "all" else "thirteen cards to each"
    length = pluralize(options.rounds, "round")
    if has_target(options):
        length = f"up to {pluralize(options.target, 'point')}"
    return f"{mode}, {deal}, {length}."


def has_target(options: Options) -> bool:
    """Whether points end the match, not a number of rounds."""
    return options.target > 0 and options.mode != "collaborative"


def round_heading(view: View) -> str:
    """The number of the round, and its sides."""
    length = "" if has_target(view.options) else f" of {view.options.rounds}"
    sides = f"{card_text(view.flipped)} flipped: {sides_text(view.flipped, view.mode)}"
    return f"Round {view.round}{length}, {sides}."


def headline(view: View) -> str:
    """The decision the table waits for, or how the match ended."""
    if not view.to_act:
        return ending(view)
    if view.card is not None:
        return f"You have drawn {card_text(view.card)}: lay it at an end of a row."
    return f"{player_name(view.to_act[0])} has drawn a card and lays it at an end of a row."


def ending(view: View) -> str:
    """The winners and their score, or the challenges met."""
    if (challenge := view.challenge).rounds == view.round:
        met = f"{challenge.met} of {pluralize(challenge.rounds, 'challenge')}"
        kept = f"{challenge.kept} of {challenge.sought} Completes"
        return f"Together you have met {met} and kept {kept}."
    names = join_words(player_name(seat) for seat in view.winners)
    verb = "share the victory" if len(view.winners) > 1 else "wins"
    points = pluralize(max(view.points), "point")
    return f"{names} {verb} with {points} after {pluralize(view.round, 'round')}."


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = []
    if view.mode == "collaborative" and view.to_act:
        kept = sum(len(player.completes) for player in view.players if is_scoring(player))
        found.append(f"Collected together: {pluralize(kept, 'Complete')}.")
    if view.last_round is not None:
        found.append(_last_round_text(view.last_round))
    if view.challenge.rounds and view.to_act:
        challenges = pluralize(view.challenge.rounds, "challenge")
        found.append(f"Met so far: {view.challenge.met} of {challenges}.")
    return found


def _last_round_text(last: Round) -> str:
    round_played = f"Round {last.number} ({last.mode})"
    if last.mode == "collaborative":
        met = "met" if sum(last.kept) == last.sought else "missed"
        return f"{round_played}: challenge {met}, {sum(last.kept)} of {last.sought}."
    winners = join_words(round_winners(last.points)) or "nobody"
    return f"{round_played}, won by {winners}: {points_text(last.points)}."


def has_won(view: View, seat: int) -> bool:
    """Whether the seat has won; in an all-collaborative match only if a challenge was met."""
    is_challenge = view.challenge.rounds == view.round
    return seat in view.winners and (view.challenge.met > 0 or not is_challenge)


def is_scoring(player: Player) -> bool:
    """Whether the Completes of this player count."""
    return player.standing in ("in", "out")


def role_texts(view: View, seat: int) -> list[str]:
    """A player's partner, lead and standing in words."""
    mate, standing = partner_of(view, seat), view.players[seat].standing
    found = [] if mate is None else [f"with {player_name(mate)}"]
    if seat == view.leader:
        found.append("leader")
    return [*found, STANDING_TEXTS[standing]] if standing in STANDING_TEXTS else found


def partner_of(view: View, seat: int) -> int | None:
    """The partner of a seat in a round with teams."""
    return next((sum(team) - seat for team in view.teams if seat in team), None)


def count_texts(counts: Mapping[Card, int]) -> list[str]:
    """Each kind of which there are cards, with its count, in the order of the deck."""
    return [f"{counts[kind]} {card_text(kind)}" for kind in KIND_CODES if counts.get(kind)]


def unseen_counts(view: View) -> dict[Card, int]:
    """The number of copies of each card that the viewer has not seen in this round."""
    seen = Counter([view.flipped, *view.dropped, *([view.card] if view.card else [])])
    seen.update(laid.card for row in view.rows for laid in row)
    for one in view.players:
        seen.update([*one.completes, *one.constraints])
    return {card: COPIES_IN_DECK[card] - seen[card] for card in CARD_CODES}


def unseen_places(view: View) -> str:
    """Where the unseen cards lie: "45 to draw, 10 aside, 16 of players who are out"."""
    set_aside = 0 if view.options.deal == "all" else int(SET_ASIDE_COUNT)
    counts = {
        "to draw": sum(player.pile for player in view.players),
        "aside": set_aside,
        "of players who are out": view.aside - set_aside,
    }
    return ", ".join(f"{number} {place}" for place, number in counts.items() if number > 0)


def unseen_completes(unseen: Mapping[Card, int]) -> str:
    """The number of unseen Completes in words."""
    return pluralize(sum(unseen[card] for card in COMPLETE_CODES), "Complete")


# -- the effect of a card -------------------------------------------------------------------------


def open_sides(row: Sequence[Laid], card: Card) -> list[str]:
    """The ends of a row at which the card may be laid; both ends of a single card are one place, at
    its left (R8)."""
    ends = {"left": row[:1], "right": row[1:][-1:]}
    return [
        side
        for side, end in ends.items()
        if end and not (card in LOGICAL_CODES and end[0].card in LOGICAL_CODES)
    ]


@dataclass(frozen=True)
class Effect:
    """The effect of laying a card, and what it leaves to the player who lays it."""

    kind: Literal["collect", "turn", ""] = ""
    cards: tuple[Card, ...] = ()  # collected, the laid one first, or turned
    standing: str = "in"  # of the player, afterwards
    kept: int = 0  # the player's Completes that then count


def effect_of(row: Sequence[Laid], side: str, card: Card, player: Player) -> Effect:
    """The effect if the player lays the card there."""
    from_end = row if side == "left" else row[::-1]
    shows = [laid.card if laid.is_up else "" for laid in from_end]
    if card in KIND_CODES and card in shows:
        reach = shows.index(card) + 1
        return _collection(player, (card, *(laid.card for laid in from_end[:reach])))
    other = {"true": "false", "false": "true"}.get(card)
    if other in shows:
        return Effect("turn", tuple(laid.card for laid in from_end[: shows.index(other)]))
    return Effect()


def _collection(player: Player, cards: tuple[Card, ...]) -> Effect:
    """The effect of collecting the cards."""
    edges = [card for card in cards if card in KIND_CODES]
    standing = STANDING_NAMES[standing_with(tally_of([*player.constraints, *edges]))]
    completes = len(player.completes) + len(cards) - len(edges)
    return Effect("collect", cards, standing, 0 if standing == "cut" else completes)


def effect_text(effect: Effect) -> str:
    """The effect in words: "collect FRC and 3 Red: out, keeps 7"; "" if there is none."""
    completes = [card for card in effect.cards if card in COMPLETE_CODES]
    counted = join_words([*completes, *count_texts(Counter(effect.cards))])
    found = [EFFECT_TEXTS[effect.kind].format(cards=counted)]
    if effect.standing != "in":
        found.append(", ".join(standing_words(effect)))
    return ": ".join(found)


def standing_words(effect: Effect) -> tuple[str, str]:
    """The standing that ends the player's round, and what is kept."""
    return effect.standing, f"keeps {effect.kept}" if effect.standing == "out" else "0 points"


def effect_texts(row: Sequence[Laid], card: Card, player: Player) -> dict[str, str]:
    """The effects of laying the card in a row, by side; only of the sides where there is one."""
    sides = open_sides(row, card)
    texts = {side: effect_text(effect_of(row, side, card, player)) for side in sides}
    return {side: effect for side, effect in texts.items() if effect}
