"""Status texts of the table, for the page of text and the picture: title, headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.engines.common.english_text import join_words, pluralize
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.cards import CARD_CODES, COMPLETE_CODES, KIND_CODES
from games.engines.duel_edged_sword.game_options import Options
from games.engines.duel_edged_sword.news_text import SEAT_NAMES, card_text, points_text, sides_text
from games.engines.duel_edged_sword.view import Challenge, Laid, Player, Round, View

LOGICAL_CODES: Final = ("true", "false")
COPIES_IN_DECK: Final = {
    card: 1 if card in COMPLETE_CODES else 10 if card in LOGICAL_CODES else 4 for card in CARD_CODES
}

STANDING_TEXTS: Final = {
    "out": "out (three of a kind)",
    "cut": "out, no points (four of a kind)",
    "bust": "bust, no points",
}


def title(view: View) -> str:
    """The title: the game and the viewer."""
    whose = "an onlooker" if view.seat is None else SEAT_NAMES[view.seat]
    return f"Duel-Edged Sword as {whose} sees it"


def variant_text(options: Options) -> str:
    """The variant, in a sentence."""
    modes = {"flipped": "the flipped card says who plays with whom", "teams": "teams"}
    mode = modes.get(options.mode, f"{options.mode} rounds")
    deal = "all cards dealt" if options.deal == "all" else "thirteen cards to each"
    length = pluralize(options.rounds, "round")
    if options.target and options.mode != "collaborative":
        length = f"up to {pluralize(options.target, 'point')}"
    return f"{mode[0].upper()}{mode[1:]}, {deal}, {length}."


def seat_order(view: View) -> list[int]:
    """The seats clockwise, from the viewer's own; for an onlooker from North."""
    first = view.seat or 0
    return [(first + step) % 4 for step in range(4)]


def round_heading(view: View) -> str:
    """The number of the round, and its sides."""
    number = f"Round {view.round}"
    if not (view.options.target and view.options.mode != "collaborative"):
        number += f" of {view.options.rounds}"
    return f"{number}, {card_text(view.flipped)} flipped: {sides_text(view.flipped, view.mode)}."


# -- status ---------------------------------------------------------------------------------------


def headline(view: View) -> str:
    """The decision the table waits for, or how the match ended."""
    if not view.to_act:
        return ending(view.winners, max(view.points), view.challenge, view.round)
    seat = view.to_act[0]
    if seat == view.seat:
        return f"You have drawn {card_text(view.card or '')}: lay it at an end of a row."
    return f"{SEAT_NAMES[seat]} has drawn a card and lays it at an end of a row."


def ending(winners: tuple[int, ...], points: int, challenge: Challenge, rounds: int) -> str:
    """The winners and their score, or the challenges met."""
    if challenge.rounds == rounds:
        met = f"{challenge.met} of {pluralize(rounds, 'challenge')}"
        kept = f"{challenge.kept} of {challenge.sought} Completes"
        return f"Together you have met {met} and kept {kept}."
    verb = "share the victory" if len(winners) > 1 else "wins"
    names = join_words([SEAT_NAMES[seat] for seat in winners])
    return f"{names} {verb} with {pluralize(points, 'point')} after {pluralize(rounds, 'round')}."


def has_won(view: View, seat: int) -> bool:
    """Whether the seat has won; in an all-collaborative match only if a challenge was met."""
    is_challenge = view.challenge.rounds == view.round
    return seat in view.winners and (view.challenge.met > 0 or not is_challenge)


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = [_goal_text(view)] if view.mode == "collaborative" and view.to_act else []
    if view.last_round is not None:
        found.append(_last_round_text(view.last_round))
    if view.challenge.rounds and view.to_act:
        challenges = pluralize(view.challenge.rounds, "challenge")
        found.append(f"Met so far: {view.challenge.met} of {challenges}.")
    return found


def _goal_text(view: View) -> str:
    kept = sum(len(player.completes) for player in view.players if is_scoring(player))
    return f"Collected together: {pluralize(kept, 'Complete')}."


def _last_round_text(last: Round) -> str:
    which = f"Round {last.number} ({last.mode})"
    if last.mode == "collaborative":
        kept = sum(last.kept)
        met = "met" if kept == last.sought else "missed"
        return f"{which}: challenge {met}, {kept} of {last.sought}."
    return f"{which}: {points_text(last.points)}."


def is_scoring(player: Player) -> bool:
    """Whether the Completes of this player count."""
    return player.standing in ("in", "out")


def player_label(view: View, seat: int) -> str:
    """The name of a player for the page and the picture."""
    return SEAT_NAMES[seat] + (" (you)" if seat == view.seat else "")


def role_texts(view: View, seat: int) -> list[str]:
    """A player's partner, lead and standing in words."""
    mate = partner_of(view, seat)
    found = [f"with {SEAT_NAMES[mate]}"] if mate is not None else []
    if seat == view.leader:
        found.append("leader")
    standing = view.players[seat].standing
    return [*found, STANDING_TEXTS[standing]] if standing in STANDING_TEXTS else found


def partner_of(view: View, seat: int) -> int | None:
    """The partner of a seat in a round with teams."""
    for team in view.teams:
        if seat in team:
            return sum(team) - seat
    return None


def kind_counts(constraints: Iterable[Card]) -> list[tuple[Card, int]]:
    """Each collected kind with its count, in the order of the deck."""
    counted = Counter(constraints)
    return [(kind, counted[kind]) for kind in KIND_CODES if counted[kind]]


def unseen_counts(view: View) -> dict[Card, int]:
    """The number of copies of each card that the viewer has not seen in this round."""
    seen = Counter([view.flipped, *view.dropped, *([view.card] if view.card else [])])
    seen.update(laid.card for row in view.rows for laid in row)
    for one in view.players:
        seen.update([*one.completes, *one.constraints])
    return {card: COPIES_IN_DECK[card] - seen[card] for card in CARD_CODES}


# -- the effect of a card -------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """The effect of laying a card at an end of a row."""

    collected: tuple[Card, ...] = ()  # including the laid card
    turned: tuple[Card, ...] = ()


def can_lay_at(row: Sequence[Laid], side: str, card: Card) -> bool:
    """Whether the card may be laid there."""
    if not row or card not in LOGICAL_CODES:
        return True
    end = row[0] if side == "left" else row[-1]
    return not (end.is_up and end.card in LOGICAL_CODES)


def effect_of(row: Sequence[Laid], side: str, card: Card) -> Effect:
    """The effect of laying the card there."""
    from_end = list(row) if side == "left" else list(reversed(row))
    shows = [laid.card if laid.is_up else "" for laid in from_end]
    if card in KIND_CODES and card in shows:
        reach = shows.index(card) + 1
        return Effect(collected=(card, *(laid.card for laid in from_end[:reach])))
    other = {"true": "false", "false": "true"}.get(card)
    if other in shows:
        return Effect(turned=tuple(laid.card for laid in from_end[: shows.index(other)]))
    return Effect()
