"""The life of a table: each step, and every refusal."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import (
    Clock,
    End,
    Join,
    Leave,
    OpenSeed,
    Outcome,
    Replace,
    Resign,
    Start,
    TimeOut,
)
from tests.games.sitting import (
    NOON,
    SECRET,
    SEED,
    dealt_writer,
    later,
    new_writer,
    play_on,
    seed_hash,
    some_action,
    whole_log,
)

CLOCK = Clock(10_000, "bot")


def refusal_code(scribe: EntryWriter, seat: int | None, action: object, seconds: float = 1) -> str:
    """The code of a refusal, which changes nothing."""
    table, hash_, rows = scribe.projection, scribe.head_hash, list(scribe.rows)
    with pytest.raises(GameRefusal) as caught:
        scribe.write(seat, action, later(seconds))
    assert (scribe.projection, scribe.head_hash, scribe.rows) == (table, hash_, rows)
    return caught.value.code


class TestCreation:
    def test_rules_that_are_not_here(self) -> None:
        with pytest.raises(RulesetNotInstalled, match="law_of_the_dice rules version 9"):
            new_writer(version=9)

    @pytest.mark.parametrize("seats", [0, 1, 7, 100])
    def test_a_game_is_for_so_many_players(self, seats: int) -> None:
        with pytest.raises(GameRefusal, match="is for 2 to 6 players"):
            new_writer(seats)

    def test_impossible_options(self) -> None:
        with pytest.raises(MalformedDocument, match="points_to_win"):
            new_writer(options={"points_to_win": 0})

    def test_the_log_has_all_options(self) -> None:
        assert new_writer().projection.entry.action["options"] == {
            "suit_by": "vote",
            "counted": "hands",
            "laws_kept": False,
            "points_to_win": 3,
            "next_turn": "left_of_caller",
            "empty_pile": "same",
            "legs": 0,
            "house_rules": False,
        }


class TestGathering:
    def test_seats_are_taken_left_and_taken_again(self) -> None:
        scribe = new_writer()
        scribe.write(1, Join(), NOON)
        assert scribe.projection.occupants[1] is not None
        scribe.write(1, Leave(), NOON)
        assert scribe.projection.occupants == (None, None)
        scribe.write(1, Join(bot="greedy"), NOON)
        assert scribe.projection.bot_seats == 0b10

    def test_what_cannot_be_done(self) -> None:
        scribe = new_writer()
        scribe.write(0, Join(), NOON)
        assert refusal_code(scribe, 0, Join()) == "seat-taken"
        assert refusal_code(scribe, 1, Leave()) == "seat-free"
        assert refusal_code(scribe, 2, Join()) == "unknown-seat"
        assert refusal_code(scribe, -1, Join()) == "unknown-seat"
        assert refusal_code(scribe, None, Join()) == "unknown-seat"
        assert refusal_code(scribe, 1, Join(seed_hash="no hash")) == "bad-seed-hash"
        assert refusal_code(scribe, None, Start(1)) == "not-complete"
        assert refusal_code(scribe, 0, Resign()) == "not-started"
        assert refusal_code(scribe, 0, Replace("greedy")) == "not-started"
        assert refusal_code(scribe, 0, TimeOut("bot")) == "not-started"
        assert refusal_code(scribe, 0, {"type": "law_of_the_dice.draw"}) == "not-started"

    def test_it_starts_when_everybody_is_there(self) -> None:
        scribe = new_writer()
        phases = []
        for seat in (0, 1):
            scribe.write(seat, Join(), NOON)
            scribe.start_if_complete(NOON)
            phases.append(scribe.projection.phase)
        assert phases == ["gathering", "playing"]
        assert refusal_code(scribe, 0, Join()) == "started"
        assert refusal_code(scribe, None, Start(1)) == "not-complete"

    def test_only_the_table_starts(self) -> None:
        scribe = new_writer()
        for seat in (0, 1):
            scribe.write(seat, Join(), NOON)
        assert refusal_code(scribe, 0, Start(1)) == "not-a-seat"
        assert refusal_code(scribe, None, Start(2)) == "wrong-level"

    def test_calling_it_off_tells_the_secret(self) -> None:
        scribe = new_writer()
        assert refusal_code(scribe, 0, End(SECRET.hex())) == "not-a-seat"
        assert refusal_code(scribe, None, End("00" * 32)) == "wrong-secret"
        assert refusal_code(scribe, None, End("no secret")) == "wrong-secret"
        scribe.write(None, End(SECRET.hex()), NOON)
        assert scribe.projection.phase == "over"
        assert refusal_code(scribe, 0, Join()) == "game-over"


class TestSeeds:
    def writer_with_joins(self) -> EntryWriter:
        """A table at which seat 0 has promised a seed."""
        scribe = new_writer()
        scribe.write(0, Join(seed_hash=seed_hash()), NOON)
        return scribe

    def test_a_seed_is_opened_when_all_have_joined(self) -> None:
        scribe = self.writer_with_joins()
        assert refusal_code(scribe, 0, OpenSeed(SEED)) == "seats-open"
        scribe.write(1, Join(bot="greedy"), NOON)
        scribe.start_if_complete(NOON)
        assert scribe.projection.phase == "gathering"
        assert refusal_code(scribe, 0, OpenSeed("no seed")) == "bad-seed"
        assert refusal_code(scribe, 0, OpenSeed("ab" * 15)) == "bad-seed"
        assert refusal_code(scribe, 0, OpenSeed("ab" * 65)) == "bad-seed"
        assert refusal_code(scribe, 0, OpenSeed(SEED.upper())) == "bad-seed"
        assert refusal_code(scribe, 0, OpenSeed("ab" * 16)) == "wrong-seed"
        assert refusal_code(scribe, 1, OpenSeed(SEED)) == "no-seed-due"
        scribe.write(0, OpenSeed(SEED), NOON)
        assert refusal_code(scribe, 0, OpenSeed(SEED)) == "no-seed-due"
        scribe.start_if_complete(NOON)
        assert (scribe.projection.phase, scribe.projection.fairness_level) == ("playing", 2)

    def test_without_a_seed_of_every_person_the_level_is_1(self) -> None:
        scribe = self.writer_with_joins()
        scribe.write(1, Join(), NOON)
        scribe.write(0, OpenSeed(SEED), NOON)
        scribe.start_if_complete(NOON)
        assert scribe.projection.fairness_level == 1
        assert dealt_writer().projection.fairness_level == 1

    def test_bots_alone_are_level_1(self) -> None:
        scribe = new_writer()
        for seat in (0, 1):
            scribe.write(seat, Join(bot="random"), NOON)
        scribe.start_if_complete(NOON)
        assert scribe.projection.fairness_level == 1

    def test_whoever_comes_when_a_seed_is_open_could_have_chosen_last(self) -> None:
        scribe = self.writer_with_joins()
        scribe.write(1, Join(seed_hash=seed_hash()), NOON)
        scribe.write(0, OpenSeed(SEED), NOON)
        scribe.write(1, Leave(), NOON)
        scribe.write(1, Join(seed_hash=seed_hash()), NOON)
        scribe.write(1, OpenSeed(SEED), NOON)
        scribe.start_if_complete(NOON)
        assert scribe.projection.fairness_level == 1

    def test_seeds_change_the_deal(self) -> None:
        deals = []
        for seed in (SEED, "ab" * 16):
            scribe = self.writer_with_joins()
            table = scribe.projection
            scribe.projection = replace(table, game="game_0", occupants=(table.occupants[0], None))
            scribe.write(1, Join(), NOON)
            occupant = scribe.projection.occupants[0]
            assert occupant is not None
            scribe.projection = replace(
                scribe.projection,
                occupants=(replace(occupant, seed=seed), scribe.projection.occupants[1]),
            )
            scribe.start_if_complete(NOON)
            deals.append(scribe.projection.entry.draws)
        assert deals[0] != deals[1]


class TestPlaying:
    def test_a_refused_action_writes_nothing(self) -> None:
        scribe = dealt_writer()
        rows, table = len(scribe.rows), scribe.projection
        for action in ({"type": "law_of_the_dice.fly"}, {"type": "law_of_the_dice.roll"}, {}):
            with pytest.raises(IllegalAction):
                scribe.write(table.engine.awaited_seats(table.state)[0], action, NOON)
        assert (len(scribe.rows), scribe.projection) == (rows, table)

    def test_the_clock_of_the_machine_may_go_back(self) -> None:
        scribe = dealt_writer()
        scribe.write(*some_action(scribe.projection, FastRng(1)), later(60))
        scribe.write(*some_action(scribe.projection, FastRng(1)), later(-60))
        assert scribe.projection.entry.at == "2026-11-21T12:01:00.000Z"

    def test_it_ends_by_the_rules(self) -> None:
        scribe = whole_log()
        outcome = scribe.projection.outcome
        assert outcome is not None
        assert scribe.projection.phase == "over"
        assert outcome.scores is not None
        assert scribe.projection.secret == SECRET.hex()
        assert refusal_code(scribe, 0, Resign(), 1e6) == "game-over"

    def test_it_does_not_end_before(self) -> None:
        scribe = dealt_writer()
        assert refusal_code(scribe, None, End(SECRET.hex())) == "not-over"
        made_up = Outcome((0,), (3, 0), "Because.")
        assert refusal_code(scribe, None, End(SECRET.hex(), made_up)) == "wrong-result"


class TestResigning:
    def test_with_two_the_other_has_won(self) -> None:
        scribe = dealt_writer()
        scribe.write(0, Resign(), NOON)
        scribe.end_if_due(NOON)
        assert scribe.projection.outcome == Outcome((1,), None, "Everybody else has resigned.")

    def test_with_more_the_others_play_on_and_whoever_resigned_cannot_win(self) -> None:
        for seed in range(12):
            scribe = dealt_writer(3)
            scribe.write(1, Resign(), NOON)
            assert refusal_code(scribe, 1, Resign()) == "resigned"
            scribe.write(1, Replace("greedy"), NOON)
            assert scribe.projection.decided_outcome is None
            play_on(scribe, seed)
            outcome = scribe.projection.outcome
            assert outcome is not None
            assert outcome.winners
            assert 1 not in outcome.winners

    def test_the_last_one_left_has_won(self) -> None:
        scribe = dealt_writer(4)
        for seat in (0, 1, 3):
            scribe.write(seat, Resign(), NOON)
        due = scribe.projection.decided_outcome
        assert due is not None
        assert due.winners == (2,)
        seat, action = some_action(scribe.projection, FastRng(1))
        assert refusal_code(scribe, seat, action) == "game-over"


class TestClocks:
    def test_a_clock_runs_from_the_entry_that_opened_the_choice(self) -> None:
        scribe = dealt_writer(clock=CLOCK)
        (seat,) = scribe.projection.engine.awaited_seats(scribe.projection.state)
        assert scribe.projection.deadline == scribe.projection.seat_deadline(seat) == later(10)
        assert scribe.projection.seat_deadline(1 - seat) is None
        assert refusal_code(scribe, seat, TimeOut("bot"), 9.999) == "in-time"
        assert refusal_code(scribe, 1 - seat, TimeOut("bot"), 20) == "in-time"
        assert refusal_code(scribe, seat, TimeOut("resign"), 10) == "wrong-expiry"
        scribe.write(seat, TimeOut("bot"), later(10))
        assert scribe.projection.seq == 5

    def test_without_a_clock_there_is_no_deadline(self) -> None:
        scribe = dealt_writer()
        assert scribe.projection.deadline is None
        assert refusal_code(scribe, 0, TimeOut("bot"), 1e9) == "in-time"

    def test_whoever_takes_a_seat_over_has_time(self) -> None:
        scribe = dealt_writer(clock=CLOCK)
        (seat,) = scribe.projection.engine.awaited_seats(scribe.projection.state)
        scribe.write(seat, TimeOut("bot"), later(10))
        scribe.write(seat, Replace("greedy"), later(10))
        assert scribe.projection.deadline == later(20)

    def test_one_vote_gives_nobody_else_more_time(self) -> None:
        scribe = at_a_vote(clock=CLOCK)
        deadline = scribe.projection.deadline
        assert deadline is not None
        seat, action = some_action(scribe.projection, FastRng(1))
        scribe.write(seat, action, deadline - timedelta(seconds=1))
        assert scribe.projection.deadline == deadline


class TestChoices:
    def test_voters_do_not_change_each_others_choice(self) -> None:
        scribe = at_a_vote()
        tokens = [scribe.projection.choice_token(seat) for seat in range(3)]
        scribe.write(*some_action(scribe.projection, FastRng(1)), later(1e6))
        voted = scribe.projection.entry.seat
        for seat in range(3):
            assert (scribe.projection.choice_token(seat) == tokens[seat]) == (seat != voted)

    def test_any_other_action_changes_them_all(self) -> None:
        scribe = dealt_writer(3)
        while True:
            before = scribe.projection
            seat, action = some_action(before, FastRng(scribe.projection.seq))
            if action["type"] == "law_of_the_dice.vote":
                break
            after = scribe.write(seat, action, NOON)
            assert all(before.choice_token(seat) != after.choice_token(seat) for seat in range(3))

    def test_what_does_not_touch_the_game_changes_none(self) -> None:
        scribe = dealt_writer(3)
        before = [scribe.projection.choice_token(seat) for seat in range(3)]
        scribe.write(1, Resign(), NOON)
        assert [scribe.projection.choice_token(seat) for seat in range(3)] == before

    def test_whoever_takes_a_seat_over_has_a_choice_of_its_own(self) -> None:
        scribe = dealt_writer(3)
        before = [scribe.projection.choice_token(seat) for seat in range(3)]
        scribe.write(1, Replace("greedy"), NOON)
        after = [scribe.projection.choice_token(seat) for seat in range(3)]
        assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True]

    def test_tokens_are_of_one_game_and_one_seat(self) -> None:
        tables = [dealt_writer(3).projection for _ in range(3)]
        tokens = {table.choice_token(seat) for table in tables for seat in range(3)}
        assert len(tokens) == 9


def at_a_vote(**fields: Any) -> EntryWriter:
    """A table of three that has begun to vote."""
    for seed in range(100):
        scribe = dealt_writer(3, **fields)
        rng = FastRng(seed)
        while scribe.projection.decided_outcome is None:
            if scribe.projection.awaited_seats == 0b111:
                return scribe
            scribe.write(*some_action(scribe.projection, rng), NOON)
    raise AssertionError("no seat ever votes")
