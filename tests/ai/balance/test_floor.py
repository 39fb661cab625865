"""The floor of balance: a short measurement of each game's newest rules finds no seat far from par
unless the page says why, no card that is never used, no variant that goes on to the limit, laws
that fire in Law of the Dice by its house rules, and several turns for all in Duel of Law."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Final, get_args, get_origin

import pytest

from ai.balance.cells import Cell, cells_of
from ai.balance.laboratory import Results, is_settled, play_cell, usual_bot
from ai.balance.page import PAGE_PATH
from ai.balance.tally import Tally, median_of
from tabularium_engines.common.json_codec import OneOf, field_types
from tabularium_engines.installed.registry import ENGINES

pytestmark = pytest.mark.lane("balance")

CELLS: Final = [cell for engine in ENGINES.values() for cell in cells_of(engine)]
DEFAULT_CELLS: Final = [cell for cell in CELLS if cell.is_default]
BOTS: Final = {"law_of_the_dice": "mcts:100"}  # where it takes a search to find the advantage
GAMES: Final = 24  # of a default cell …
MORE_GAMES: Final = {"duel_of_law": 100}  # … and where a few say little
VARIANT_GAMES: Final = 1
HOUSE_RULES: Final = "house_rules=True"  # of Law of the Dice
TURNS_EACH: Final = 3  # of a seat in the median game of Duel of Law
MAX_RATIO: Final = 1.5  # of a seat's share and par, for the lower bound of the interval
EXCUSES: Final = "## Where a seat has an advantage"


def test_the_page_has_every_cell_of_the_newest_rules_with_narrow_intervals() -> None:
    results = Results()
    measured = {cell.key: results.load(cell, usual_bot(cell.ruleset.slug)) for cell in CELLS}
    assert [key for key, one in measured.items() if not is_settled(one.cell, one.tally)] == []


@cache
def tally_of(cell: Cell) -> Tally:
    """A short measurement with quick bots."""
    is_long = cell.is_default or cell.variant == HOUSE_RULES
    bot = BOTS.get(cell.ruleset.slug, "greedy") if is_long else "greedy"
    games = MORE_GAMES.get(cell.ruleset.slug, GAMES) if is_long else VARIANT_GAMES
    *_, tally = play_cell(cell, bot, Tally(), games)
    return tally


def excused() -> str:
    """The section of the page that explains advantages."""
    return PAGE_PATH.read_text().partition(EXCUSES)[2].partition("\n## ")[0]


@pytest.mark.parametrize("cell", DEFAULT_CELLS, ids=lambda cell: cell.key)
def test_no_seat_is_far_from_par_unless_the_page_says_why(cell: Cell) -> None:
    tally = tally_of(cell)
    shares = [tally.interval(order)[0] for order in range(cell.seats)]
    if max(shares) > MAX_RATIO * tally.par:
        assert f"{cell.engine.about.title}, version {cell.ruleset.version}" in excused()


@pytest.mark.parametrize("slug", ENGINES)
def test_every_card_is_used(slug: str) -> None:
    """Each card that an action can name is part of an action or of an effect."""
    cells = [cell for cell in DEFAULT_CELLS if cell.ruleset.slug == slug]
    used = {name.partition(" ")[2] for cell in cells for name in tally_of(cell).uses}
    assert nameable_cards(slug) - used == set()


def nameable_cards(slug: str) -> set[str]:
    """The codes of cards in the types of a game's actions."""
    hints = [field_types(action).get("card") for action in ENGINES[slug].about.actions]
    limits = [get_args(hint)[1] for hint in hints if get_origin(hint) is Annotated]
    return {code for limit in limits if isinstance(limit, OneOf) for code in limit.values}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.key)
def test_every_variant_comes_to_an_end_of_its_own(cell: Cell) -> None:
    assert median_of(tally_of(cell).decisions) < cell.engine.about.max_actions / 2


@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if cell.variant == HOUSE_RULES], ids=lambda cell: cell.key
)
def test_laws_fire_by_the_house_rules_of_law_of_the_dice(cell: Cell) -> None:
    tally = tally_of(cell)
    assert tally.uses["triggered"].often >= tally.games / 2


@pytest.mark.parametrize(
    "cell",
    [cell for cell in DEFAULT_CELLS if cell.ruleset.slug == "duel_of_law"],
    ids=lambda cell: cell.key,
)
def test_no_hand_of_duel_of_law_ends_the_game_before_all_have_played(cell: Cell) -> None:
    assert median_of(tally_of(cell).turns) >= TURNS_EACH * cell.seats
