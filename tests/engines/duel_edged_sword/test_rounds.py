"""Dealing and scoring a round: R1 to R7 and R15 to R17."""

from __future__ import annotations

import re
from collections import Counter
from math import sqrt
from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE, ENGINES, match_scoring
from tabularium_engines.duel_edged_sword.card_counts import faces_in
from tabularium_engines.duel_edged_sword.cards import CARD_CODES
from tabularium_engines.duel_edged_sword.engine import DuelEdgedSwordEngine
from tabularium_engines.duel_edged_sword.game_logic import SwordState
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.match_scoring import MODE_NAMES
from tabularium_engines.duel_edged_sword.round_setup import mode_of
from tabularium_engines.duel_edged_sword.view import View
from tests.engines.duel_edged_sword.tables import (
    DECK,
    FIRST,
    LAST_CARD_PILES,
    PLAIN_ROWS,
    ScriptedRng,
    completes_except,
    do,
    end_of_round,
    left_end,
    play_round,
    right_end,
    start_match,
    table,
    view_of,
)

SINGLES = set(CARD_CODES[27:36])


def deal_view(seed: int, **options: Any) -> View:
    return view_of(start_match(seed, **options))


# -- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_R1_no_row_gets_a_single_twice_or_two_logical_cards(seed: int) -> None:
    rows = [[laid.card for laid in row] for row in deal_view(seed).rows]
    assert [len(row) for row in rows] == [5] * 4
    for row in rows:
        counts = Counter(row)
        assert all(counts[single] <= 1 for single in SINGLES)
        assert counts["true"] + counts["false"] <= 1


def scripted_deal(codes: str) -> tuple[SwordState, list[dict[str, Any]]]:
    """A deal in which North leads, with these draws of cards."""
    deck = list(DECK)
    draws = []
    for code in codes.split():
        draws.append(deck.index(CARD_CODES.index(code)))
        deck.pop(draws[-1])
    script = ScriptedRng([0, *draws, 0, 61])
    state = ENGINE.start(Options(), 4, script)
    script.assert_empty()
    return state, ENGINE.news(state, None)


def test_R1_cards_are_compared_with_their_own_row_only() -> None:
    singles = "red blue"
    rows = ["true FRC FRS", "false FRT PRC", "true PRS HRC", "false HRS HBC"]
    _, news = scripted_deal(" ".join(f"{singles} {row}" for row in rows))
    assert news[0]["skipped"] == []


def test_R2_skipped_cards_are_shuffled_back() -> None:
    others = "FRS FRT PRC PRS PRT HRC HRS HRT FGC FGS FGT PGC PGS PGT HGC"
    state, news = scripted_deal(f"red red true false blue FRC FBC {others}")
    assert news[0]["skipped"] == ["red", "false"]
    assert news[0]["rows"][0] == ["red", "true", "blue", "FRC", "FBC"]
    assert state.players.unseen == 83 - 20 - 2  # the flipped and the drawn card
    assert state.cards() == DECK


@pytest.mark.parametrize("seed", range(12))
def test_R3_all_cards_are_dealt_and_opposite_players_have_one_more(seed: int) -> None:
    view = deal_view(seed)
    piles = [player.pile for player in view.players]
    piles[view.leader] += 1  # the drawn card
    assert sum(piles) == 62
    assert {piles[view.leader], piles[(view.leader + 2) % 4]} == {16}
    assert {piles[(view.leader + 1) % 4], piles[(view.leader + 3) % 4]} == {15}
    assert view.aside == 0


@pytest.mark.parametrize("flipped", [36, 37])
def test_R3_opposite_players_are_never_partners(flipped: int) -> None:
    partners = [int(match_scoring.partner_of(flipped, seat)) for seat in range(4)]
    assert partners == ([1, 0, 3, 2] if flipped == 36 else [3, 2, 1, 0])


def test_R3_the_flipped_card_gives_the_modes_in_the_stated_shares() -> None:
    modes = Counter[str](deal_view(seed).mode for seed in range(2000))
    for mode, share in {"combative": 42, "collaborative": 31, "teams": 27}.items():
        assert modes[mode] / 20 == pytest.approx(share, abs=3)


def test_R4_thirteen_to_each_leaves_ten_aside() -> None:
    view = deal_view(3, deal="thirteen")
    assert sorted(player.pile for player in view.players) == [12, 13, 13, 13]
    assert view.aside == 10
    state = start_match(3, deal="thirteen", mode="collaborative", rounds=1)
    play_round(state, FastRng(1))
    assert view_of(state).aside >= 10


@pytest.mark.parametrize("seed", range(6))
def test_R5_the_flipped_card_is_not_in_play(seed: int) -> None:
    state = start_match(seed, rounds=1)
    flipped = CARD_CODES[state.match.flipped]
    copies = {card: DECK.count(CARD_CODES.index(card)) for card in CARD_CODES}
    play_round(state, FastRng(seed))
    view = view_of(state)
    laid = [laid.card for row in view.rows for laid in row]
    collected_cards = [
        card for player in view.players for card in (*player.completes, *player.constraints)
    ]
    hidden = state.players.unseen_completes | int(state.players.unseen_kinds) << 27
    assert [*laid, *collected_cards].count(flipped) < copies[flipped]
    assert hidden >> int(state.match.flipped) & 1 == 0 or state.match.flipped >= 27


@pytest.mark.parametrize(
    ("card", "mode", "teams"),
    [
        ("red", "combative", ()),
        ("PGS", "collaborative", ()),
        ("true", "teams", ((0, 1), (2, 3))),
        ("false", "teams", ((0, 3), (1, 2))),
    ],
)
def test_the_flipped_card_determines_mode_and_teams(card: str, mode: str, teams: Any) -> None:
    view = view_of(table(PLAIN_ROWS, "PRT", flipped=card))
    assert (view.mode, view.teams) == (mode, teams)


def test_the_flipped_card_is_any_remaining_card() -> None:
    """True and False are a little more frequent than in the whole deck: the rows take few of
    them."""
    expected: Counter[str] = Counter()
    modes: Counter[str] = Counter()
    for seed in range(1500):
        state = start_match(seed)
        left_over = [
            *faces_in(state.players.unseen_completes, state.players.unseen_kinds),
            state.drawn,
            state.match.flipped,
        ]
        for face in left_over:
            expected[MODE_NAMES[mode_of(face)]] += 1
        modes[view_of(state).mode] += 1
    for mode, number in modes.items():
        share = expected[mode] / expected.total()
        assert abs(number - 1500 * share) < 5 * sqrt(1500 * share * (1 - share))


@pytest.mark.parametrize("mode", ["combative", "collaborative", "teams"])
def test_R6_a_card_of_the_fixed_mode_is_flipped(mode: str) -> None:
    views = [deal_view(seed, mode=mode) for seed in range(40)]
    assert {view.mode for view in views} == {mode}
    flipped = Counter(view.flipped for view in views)
    if mode == "teams":
        assert set(flipped) == {"true", "false"}
    else:
        assert len(flipped) > 6
    assert {sum(player.pile for player in view.players) for view in views} == {61}


def test_R7_the_first_leader_is_random_and_the_lead_goes_clockwise() -> None:
    assert {deal_view(seed).leader for seed in range(40)} == {0, 1, 2, 3}
    state, rng = start_match(2), FastRng(5)
    first = int(state.match.leader)
    leaders = []
    for _ in range(4):
        leaders.append(int(state.match.leader))
        assert state.turn == state.match.leader
        play_round(state, rng)
    assert leaders == [(first + step) % 4 for step in range(4)]


def test_R7_play_goes_clockwise_past_players_without_cards() -> None:
    state = table(PLAIN_ROWS, "PRT", piles=(2, 0, 1, 0))
    do(state, left_end(1), "PRS")
    assert view_of(state).to_act == (2,)
    do(state, left_end(1), "PRC")
    assert view_of(state).to_act == (0,)
    do(state, left_end(1), "PBC")
    assert view_of(state).to_act == (0,)


# -- the end of a round ---------------------------------------------------------------------------


def test_R15_a_round_ends_when_no_player_in_it_has_a_card() -> None:
    state = table(PLAIN_ROWS, "red", piles=(5, 0, 0, 0), collected={0: "red red"})
    news = do(state, left_end(1))
    assert [item["kind"] for item in news] == ["placed", "collected", "cut", "scored"]
    assert state.to_act == 0


def test_a_combative_round_gives_each_player_their_own_points() -> None:
    collected = {0: "FRS FRT", 1: "PRC red red", 2: "PRS PBS PGS"}
    assert view_of(end_of_round(PLAIN_ROWS, "hollow", collected=collected)).points == (2, 1, 3, 0)


def test_cut_and_bust_players_get_no_points_but_out_players_do() -> None:
    state = table(
        PLAIN_ROWS, "red", piles=LAST_CARD_PILES, collected={0: "red FBC", 1: "FRS", 2: "FRT FBT"}
    )
    state.players.standings[1] = 2
    state.players.standings[2] = 3
    do(state, left_end(1))
    last = view_of(state).last_round
    assert last is not None
    assert last.standings == ("out", "cut", "bust", "in")
    assert last.points == (1, 0, 0, 0)


@pytest.mark.parametrize(("flipped", "points"), [("true", (3, 3, 3, 3)), ("false", (2, 4, 4, 2))])
def test_R17_a_teams_points_are_credited_to_both(flipped: str, points: tuple[int, ...]) -> None:
    collected = {0: "FRS FRT", 1: "PRC", 2: "PRS PBS PGS"}
    assert (
        view_of(end_of_round(PLAIN_ROWS, "hollow", collected=collected, flipped=flipped)).points
        == points
    )


@pytest.mark.parametrize(
    ("collected", "flipped", "winners"),
    [
        ({0: "FRS", 2: "PRS PBS"}, "circle", ", South wins it: "),
        ({0: "FRS", 2: "PRS"}, "circle", ", North and South win it: "),
        ({0: "FRS FRT", 1: "PRC", 2: "PRS PBS"}, "true", ", North and East win it: "),
        ({}, "circle", ", nobody wins it: "),
    ],
)
def test_R22_the_news_and_the_page_name_the_winners_of_a_round(
    collected: dict[int, str], flipped: str, winners: str
) -> None:
    state = table(PLAIN_ROWS, "hollow", piles=LAST_CARD_PILES, collected=collected, flipped=flipped)
    news = do(state, right_end(1))
    assert news[-1]["text"].startswith(f"Round 1 is over{winners}North ")
    names = re.split(r"^, | wins? it: $", winners)[1]
    assert f"won by {names}:" in " ".join(ENGINE.text(view_of(state)).split())


def test_a_player_who_is_cut_adds_nothing_to_the_team() -> None:
    state = table(
        PLAIN_ROWS, "PRT", piles=LAST_CARD_PILES, collected={0: "FRS FRT", 1: "PRC"}, flipped="true"
    )
    state.players.standings[0] = 2
    do(state, left_end(1))
    assert view_of(state).points == (1, 1, 0, 0)


@pytest.mark.parametrize("standing", [0, 1, 2, 3])
def test_R16_the_challenge_is_to_keep_all_26(standing: int) -> None:
    collected = {0: completes_except("HBT FRC FBS"), 1: "FBS"}
    state = table(
        ["red FRC", "", "", ""], "red", piles=LAST_CARD_PILES, collected=collected, flipped="HBT"
    )
    state.players.standings[1] = standing
    news = do(state, right_end(1))
    challenge = view_of(state).challenge
    is_met = standing < 2
    assert (challenge.rounds, challenge.met, challenge.kept, challenge.sought) == (
        *(1, int(is_met), 26 if is_met else 25, 26),
    )
    assert ("the challenge is met" in news[-1]["text"]) == is_met
    assert view_of(state).points == (0, 0, 0, 0)


def test_R16_a_complete_left_in_a_row_or_a_pile_is_missing() -> None:
    for rows in (["red FRC", "FBS", "", ""], ["red FRC", "", "", ""]):
        collected = {0: completes_except("HBT FRC FBS")}
        state = end_of_round(rows, "red", collected=collected, flipped="HBT")
        assert (view_of(state).challenge.kept, view_of(state).challenge.sought) == (25, 26)


@pytest.mark.parametrize("engine", ENGINES)
def test_R8_and_R16_are_those_of_the_version(engine: DuelEdgedSwordEngine) -> None:
    state = engine.start(Options(), 4, FastRng(1))
    imagined = engine.imagine(engine.view(state, 0), FastRng(1))
    expected = (0, False) if engine.about.version == 1 else (1, True)
    for each in (state, state.clone(), imagined, imagined.clone()):
        assert (each.variant.one_place_size, each.variant.counts_all_dealt) == expected


def challenge_with_thirteen(
    engine: DuelEdgedSwordEngine, aside: str
) -> tuple[SwordState, list[dict[str, Any]]]:
    """The end of a challenge with 13 cards each, in which two Completes are unseen, and the news:
    `aside` are the first of the ten cards aside, the others are edges."""
    state = table(
        ["red FRC", "", "", ""],
        "red",
        piles=LAST_CARD_PILES,
        collected={0: completes_except("HBT FRC FBS PGT")},
        flipped="HBT",
        options=Options(rounds=1, deal="thirteen"),
        engine=engine,
    )
    drawn = state.clone().players
    draws = []
    for card in [*aside.split(), *["true"] * (10 - len(aside.split()))]:
        heap = faces_in(drawn.unseen_completes, drawn.unseen_kinds)
        draws.append(heap.index(CARD_CODES.index(card)))
        drawn.remove_unseen(CARD_CODES.index(card))
    script = ScriptedRng(draws if engine is ENGINE else [])
    state.apply(0, engine.encode(state, 0, right_end(1).action("red")), script)
    script.assert_empty()
    assert state.cards() == DECK
    return state, engine.news(state, None)


def test_R16_in_version_1_with_thirteen_cards_each_only_cards_in_play_count() -> None:
    state, news = challenge_with_thirteen(FIRST, "")
    assert (view_of(state).challenge.met, view_of(state).challenge.sought) == (1, 24)
    assert "revealed" not in [item["kind"] for item in news]


@pytest.mark.parametrize(("aside", "sought"), [("", 26), ("FBS", 25), ("PGT FBS", 24)])
def test_R16_from_version_2_all_completes_dealt_into_rows_and_piles_count(
    aside: str, sought: int
) -> None:
    state, news = challenge_with_thirteen(ENGINE, aside)
    challenge = view_of(state).challenge
    assert (challenge.met, challenge.kept, challenge.sought) == (int(sought == 24), 24, sought)
    (revealed,) = [item for item in news if item["kind"] == "revealed"]
    assert len(revealed["cards"]) == 10
    assert revealed["cards"][: len(aside.split())] == aside.split()
    assert revealed["text"].startswith("The cards aside were ")


@pytest.mark.parametrize("mode", ["combative", "teams"])
def test_R16_no_card_aside_is_turned_over_without_a_challenge(mode: Any) -> None:
    state = start_match(2, mode=mode, deal="thirteen", rounds=1)
    play_round(state, FastRng(3))
    assert "revealed" not in [item["kind"] for item in ENGINE.news(state, None)]


def test_the_next_round_begins_with_a_whole_deck_and_shows_the_last() -> None:
    state = start_match(8)
    play_round(state, FastRng(9))
    view = view_of(state)
    assert (view.round, len(view.to_act)) == (2, 1)
    assert view.last_round is not None
    assert view.last_round.number == 1
    assert [len(row) for row in view.rows] == [5] * 4
    assert all(player.standing == "in" and not player.completes for player in view.players)
