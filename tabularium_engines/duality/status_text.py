"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from typing import Final

from tabularium_engines.common.english_text import pluralize
from tabularium_engines.duality.cards import BLACK, WHITE
from tabularium_engines.duality.game_logic import MAX_ACTIONS
from tabularium_engines.duality.news_text import ENDING_SENTENCES, place_text, player_name
from tabularium_engines.duality.view import View

COUNTDOWN_START: Final = 20  # decisions before the limit, from which on a remark counts them down
NUMBER_WORDS: Final = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven"}


def variant_text(view: View) -> str:
    """The variant, in a sentence."""
    return f"{NUMBER_WORDS[view.options.file]} cards lay between the players at first."


def headline(view: View) -> str:
    """The decision the table waits for, or how the game ended."""
    if not view.to_act:
        return ending(view)
    return f"{player_name(view.to_act[0])} replaces a card or plays a new one."


def ending(view: View) -> str:
    """The winner and the reason."""
    how = ENDING_SENTENCES[view.ending or "limit"]
    if view.ending == "connection":
        return f"{how}: {player_name(view.winners[0])} wins."
    longest = pluralize(max(view.longest), "card")
    if len(view.winners) > 1:
        return f"{how}: the victory is shared, for both longest paths have {longest}."
    name, shorter = player_name(view.winners[0]), min(view.longest)
    return f"{how}: {name} wins with {longest} in the longest path to {shorter}."


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = []
    if view.latest is not None:
        found.append(f"A card was laid last in {place_text(view.latest.row, view.latest.column)}.")
    if view.to_act and view.history and view.history[-1] is None:
        found.append(f"{player_name(1 - view.to_act[0])} has passed; if both pass, the game ends.")
    if view.to_act and view.occurrences > 1:
        found.append("This position has come up twice; the third time ends the game.")
    left = int(MAX_ACTIONS) - view.plies
    if view.to_act and left <= COUNTDOWN_START:
        found.append(f"{pluralize(left, 'decision')} left before the game ends.")
    return found


def visible_hand(view: View, seat: int) -> tuple[str, ...]:
    """The cards in a hand that the viewer knows: all of their own, perhaps some of others."""
    return view.hand if seat == view.seat else view.known[seat]


def is_turned(view: View) -> bool:
    """Whether the viewer sees the table turned by half, from White's side."""
    return view.seat == WHITE


def seats_from_far(view: View) -> tuple[int, int]:
    """The player at the far side of the table, then the near one."""
    return (int(BLACK), int(WHITE)) if is_turned(view) else (int(WHITE), int(BLACK))
