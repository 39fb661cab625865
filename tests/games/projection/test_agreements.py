"""Tables among people: proposals and their consequences, aborts, claims, expiry and hints."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_log.projection.entry import entry_content
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_contents
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import (
    Abort,
    Accept,
    Claim,
    Clock,
    Decline,
    Expire,
    Hint,
    Join,
    Outcome,
    Propose,
    Replace,
    Resign,
    Resume,
    Takeback,
    TimeOut,
)
from tests.games.sitting import NOON, dealt_writer, later, new_writer, some_action

CLOCK = Clock(10_000, "resign")
DAY = 24 * 3600
# in the other games every action draws, is sealed or ends a turn that draws
TAKEABLE = ("law_of_the_dice", "duality", "law")


def refusal_code(scribe: EntryWriter, seat: int | None, action: Any, seconds: float = 1) -> str:
    """The code of a refusal, which changes nothing."""
    before = scribe.projection
    with pytest.raises(GameRefusal) as caught:
        scribe.write(seat, action, later(seconds))
    assert scribe.projection is before
    return caught.value.code


def with_bot(seats: int = 2, **fields: Any) -> EntryWriter:
    """A table at which a person has seat 0, and bots the others."""
    scribe = new_writer(seats, **fields)
    scribe.write(0, Join(), NOON)
    for seat in range(1, seats):
        scribe.write(seat, Join("greedy"), NOON)
    scribe.start_if_complete(NOON)
    return scribe


def act(scribe: EntryWriter, seed: int = 1, at: float = 1) -> int:
    """A random action of an awaited seat; the seat."""
    seat, action = some_action(scribe.projection, FastRng(seed))
    scribe.write(seat, action, later(at))
    return seat


def agree(
    scribe: EntryWriter, of: Any, to: int | None = None, at: float = 1, seat: int = 0
) -> Projection:
    """Let a seat make a proposal that all others accept, and carry it out."""
    scribe.write(seat, Propose(of, to), later(at))
    seq = scribe.projection.seq
    for other in range(scribe.projection.creation.seats):
        if other != seat:
            scribe.write(other, Accept(seq), later(at))
    scribe.finish(later(at))
    return scribe.projection


def fewest(slug: str) -> int:
    """The fewest seats of a game."""
    return registry.ENGINES[slug].about.seats[0]


def takeback_table(slug: str) -> EntryWriter:
    """A table at which the last action can be taken back."""
    for seed in range(400):
        scribe = dealt_writer(fewest(slug), slug)
        for step in range(30):
            act(scribe, seed * 100 + step, step)
            if scribe.projection.takeback_points and not scribe.projection.is_decided:
                return scribe
            if scribe.projection.is_decided:
                break
    raise AssertionError(f"nothing can be taken back in {slug}")


class TestProposals:
    def test_all_others_must_accept(self) -> None:
        scribe = dealt_writer(3)
        scribe.write(1, Propose("draw"), NOON)
        seq = scribe.projection.seq
        assert refusal_code(scribe, 1, Accept(seq)) == "accepted"
        assert refusal_code(scribe, 0, Accept(seq - 1)) == "no-such-proposal"
        scribe.write(0, Accept(seq), NOON)
        assert not scribe.projection.is_agreed
        assert refusal_code(scribe, 0, Accept(seq)) == "accepted"
        scribe.write(2, Accept(seq), NOON)
        assert scribe.projection.is_agreed
        assert refusal_code(scribe, 0, Resign()) == "game-over"
        scribe.finish(NOON)
        assert scribe.projection.outcome == Outcome(
            (0, 1, 2), None, "The players have agreed on a draw."
        )

    def test_one_offer_is_open_at_a_time(self) -> None:
        scribe = dealt_writer()
        scribe.write(0, Propose("draw"), NOON)
        assert refusal_code(scribe, 1, Propose("end")) == "proposal-open"
        scribe.write(1, Decline(scribe.projection.seq), NOON)
        assert refusal_code(scribe, 0, Propose("end")) == "proposed-already"
        scribe.write(1, Propose("end"), NOON)
        scribe.write(1, Decline(scribe.projection.seq), NOON)
        act(scribe)
        scribe.write(0, Propose("draw"), later(2))
        assert scribe.projection.proposal is not None

    def test_the_action_of_another_person_declines(self) -> None:
        scribe = dealt_writer()
        (seat,) = scribe.projection.engine.awaited_seats(scribe.projection.state)
        scribe.write(seat, Propose("draw"), NOON)
        seq = scribe.projection.seq
        assert act(scribe) == seat
        assert scribe.projection.proposal is not None
        while act(scribe, scribe.projection.seq) == seat:
            pass
        assert scribe.projection.proposal is None
        assert refusal_code(scribe, 1 - seat, Accept(seq)) == "no-such-proposal"

    def test_departures_end_offers(self) -> None:
        for departure in (Resign(), Replace("greedy")):
            scribe = dealt_writer(3)
            scribe.write(0, Propose("draw"), NOON)
            seq = scribe.projection.seq
            scribe.write(1, departure, NOON)
            assert refusal_code(scribe, 2, Accept(seq)) == "no-such-proposal"

    def test_who_may_propose(self) -> None:
        scribe = with_bot()
        assert refusal_code(scribe, 1, Propose("end")) == "not-a-person"
        assert refusal_code(scribe, None, Propose("end")) == "unknown-seat"
        assert refusal_code(scribe, 0, Propose("draw")) == "no-draw"
        assert refusal_code(new_writer(), 0, Propose("draw")) == "not-started"
        rated = dealt_writer(clock=CLOCK, rated=True)
        assert refusal_code(rated, 0, Propose("end")) == "rated-proposal"
        assert refusal_code(rated, 0, Propose("takeback", 3)) == "rated-proposal"
        assert agree(rated, "draw").outcome is not None
        alone = with_bot(clock=CLOCK, rated=True)
        assert refusal_code(alone, 0, Propose("pause")) == "rated-proposal"

    def test_bots_that_play_on_for_those_who_resigned_are_not_asked(self) -> None:
        scribe = dealt_writer(3)
        scribe.write(2, Resign(), NOON)
        scribe.write(2, Replace("greedy"), NOON)
        scribe.write(0, Propose("draw"), NOON)
        scribe.write(1, Accept(scribe.projection.seq), NOON)
        scribe.finish(NOON)
        assert scribe.projection.outcome is not None
        assert scribe.projection.outcome.winners == (0, 1)

    def test_partners_have_no_draw(self) -> None:
        options = {"mode": "collaborative"}
        scribe = dealt_writer(4, "duel_edged_sword", options=options)
        assert refusal_code(scribe, 0, Propose("draw")) == "no-draw"

    def test_an_end_by_consent_has_no_result(self) -> None:
        scribe = dealt_writer()
        act(scribe)
        over = agree(scribe, "end", at=2)
        assert (over.phase, over.outcome, over.secret is None) == ("over", None, False)
        lonely = with_bot()
        lonely.write(0, Propose("end"), NOON)
        lonely.finish(NOON)
        assert (lonely.projection.phase, lonely.projection.outcome) == ("over", None)


class TestTakebacks:
    @pytest.mark.parametrize("slug", TAKEABLE)
    def test_the_position_returns_and_the_log_goes_on(self, slug: str) -> None:
        scribe = takeback_table(slug)
        point = scribe.projection.takeback_points[-1]
        before = scribe.projection
        tokens = [before.choice_token(seat) for seat in range(before.creation.seats)]
        table = agree(scribe, "takeback", point.seq, 100, point.seat)
        assert table.entry.action == {"type": "table.takeback", "to": point.seq}
        assert table.state is not None
        assert table.state.contents() == point.state.contents()
        assert table.takeback_points == before.takeback_points[:-1]
        assert table.last_actions[point.seat] is None
        assert all(table.choice_token(seat) != token for seat, token in enumerate(tokens))
        act(scribe, at=101)
        assert scribe.projection.seq == before.seq + before.creation.seats + 2

    def test_only_ones_own_last_actions(self) -> None:
        scribe = takeback_table("law")
        point = scribe.projection.takeback_points[-1]
        assert refusal_code(scribe, 1 - point.seat, Propose("takeback", point.seq), 100) == (
            "not-your-seat"
        )
        code = refusal_code(scribe, point.seat, Propose("takeback", point.seq - 1), 100)
        assert code == "no-takeback"
        assert refusal_code(scribe, point.seat, Propose("takeback"), 100) == "wrong-proposal"
        assert refusal_code(scribe, point.seat, Propose("draw", 3), 100) == "wrong-proposal"
        assert refusal_code(scribe, None, Takeback(point.seq), 100) == "not-agreed"

    def test_any_action_ends_the_proposal(self) -> None:
        scribe = takeback_table("law")
        point = scribe.projection.takeback_points[-1]
        scribe.write(point.seat, Propose("takeback", point.seq), later(100))
        seq = scribe.projection.seq
        act(scribe, at=100)
        assert refusal_code(scribe, 1 - point.seat, Accept(seq), 100) == "no-such-proposal"

    def test_nothing_is_taken_back_past_draws_and_sealed_fields(self) -> None:
        for slug in registry.ENGINES:
            for seed in range(3):
                scribe = dealt_writer(fewest(slug), slug)
                for step in range(40):
                    if scribe.projection.is_decided:
                        break
                    seat = act(scribe, 1000 * seed + step, step)
                    table = scribe.projection
                    if table.entry.draws or table.field_readers:
                        assert table.takeback_points == ()
                    assert {point.seat for point in table.takeback_points} <= {seat}

    def test_bots_that_have_thought_are_not_fooled(self) -> None:
        for slug in registry.ENGINES:
            scribe = with_bot(fewest(slug), slug=slug)
            for step in range(40):
                if scribe.projection.is_decided:
                    break
                act(scribe, step, step)
                table = scribe.projection
                assert table.state is not None
                if table.is_awaited(1):
                    assert table.takeback_points == ()

    def test_rated_games_keep_no_positions(self) -> None:
        scribe = dealt_writer(2, "law", clock=CLOCK, rated=True)
        for step in range(40):
            act(scribe, step, step / 10)
            assert scribe.projection.takeback_points == ()

    @pytest.mark.parametrize("slug", TAKEABLE)
    def test_a_log_loads_with_the_same_positions(self, slug: str) -> None:
        scribe = takeback_table(slug)
        for round_ in range(3):
            point = scribe.projection.takeback_points[-1]
            agree(scribe, "takeback", point.seq, 100 + round_, point.seat)
            for step in range(20):
                if not scribe.projection.is_decided:
                    act(scribe, 50 * round_ + step, 100 + round_)
            if scribe.projection.is_decided or not scribe.projection.takeback_points:
                break
        check_loads(scribe)


def check_loads(scribe: EntryWriter) -> None:
    """A log that is read at once, or in two pieces, leads to the same projection at each entry."""
    tables = [step.projection for step in scribe.written_entries]
    contents = [entry_content(table.entry) for table in tables]
    first = create_projection(tables[0].game, tables[0].entry)
    for seq in range(1, len(tables) + 1):
        loaded = replay_contents(first, contents[1:seq])
        assert comparable(loaded) == comparable(tables[seq - 1])
        middle = max(1, seq - 3)
        in_pieces = replay_contents(
            replay_contents(first, contents[1:middle]), contents[middle:seq]
        )
        assert comparable(in_pieces) == comparable(tables[seq - 1])


def comparable(table: Projection) -> Projection:
    """The projection with plain contents instead of states."""
    points = tuple(
        point._replace(state=point.state.contents())  # type: ignore[arg-type]
        for point in table.takeback_points
    )
    state: Any = None if table.state is None else table.state.contents()
    return replace(table, state=state, takeback_points=points)


class TestPauses:
    def test_the_clock_stops(self) -> None:
        scribe = dealt_writer(clock=CLOCK)
        (seat,) = scribe.projection.engine.awaited_seats(scribe.projection.state)
        token = scribe.projection.choice_token(seat)
        paused = agree(scribe, "pause", at=4)
        assert paused.awaited_seats == 0
        assert paused.deadline == later(4) + timedelta(days=7)
        assert refusal_code(scribe, *some_action_of(scribe), 5) == "paused"
        assert refusal_code(scribe, seat, Propose("draw"), 5) == "paused"
        assert refusal_code(scribe, seat, TimeOut("resign"), 3600) == "in-time"
        scribe.write(1 - seat, Resume(), later(3600))
        table = scribe.projection
        assert table.deadline == later(3600 + 6)
        assert table.choice_token(seat) == token
        act(scribe, at=3601)

    def test_it_ends_by_itself(self) -> None:
        scribe = dealt_writer(clock=CLOCK)
        agree(scribe, "pause", at=0)
        assert refusal_code(scribe, None, Resume(), 7 * DAY - 1) == "in-time"
        scribe.write(None, Resume(), later(7 * DAY))
        assert scribe.projection.deadline == later(7 * DAY + 10)

    def test_who_may_pause(self) -> None:
        assert refusal_code(dealt_writer(), 0, Propose("pause")) == "no-clock"
        scribe = dealt_writer(3, clock=CLOCK)
        assert refusal_code(scribe, 0, Resume()) == "not-paused"
        agree(scribe, "pause")
        scribe.write(0, Resign(), later(2))
        scribe.write(0, Replace("greedy"), later(2))
        assert refusal_code(scribe, 0, Resume(), 3) == "not-a-person"
        check_loads(scribe)


def some_action_of(scribe: EntryWriter) -> tuple[int, Any]:
    """An awaited seat and an action, though the game is paused."""
    return some_action(scribe.projection, FastRng(1))


class TestDepartures:
    def test_a_game_is_aborted_before_a_person_has_acted(self) -> None:
        scribe = dealt_writer()
        scribe.write(1, Abort(), later(1))
        assert refusal_code(scribe, 0, Resign()) == "game-over"
        scribe.finish(later(1))
        assert (scribe.projection.phase, scribe.projection.outcome) == ("over", None)
        begun = dealt_writer()
        act(begun)
        assert refusal_code(begun, 0, Abort()) == "too-late"
        rated = dealt_writer(clock=CLOCK, rated=True)
        assert refusal_code(rated, 0, Abort()) == "rated-abort"

    def test_the_actions_of_bots_do_not_count(self) -> None:
        scribe = with_bot(4)
        for step in range(50):
            if scribe.projection.is_awaited(0):
                break
            act(scribe, step)
        scribe.write(0, Abort(), later(2))
        assert scribe.projection.is_decided

    def test_a_silent_player_is_claimed_after_seven_days(self) -> None:
        scribe = dealt_writer()
        (seat,) = scribe.projection.engine.awaited_seats(scribe.projection.state)
        other = 1 - seat
        assert refusal_code(scribe, other, Claim(seat, "resign"), 7 * DAY - 1) == "in-time"
        assert refusal_code(scribe, other, Claim(other, "resign"), 8 * DAY) == "not-late"
        assert refusal_code(scribe, seat, Claim(other, "resign"), 8 * DAY) == "not-late"
        assert refusal_code(scribe, other, Claim(5, "resign"), 8 * DAY) == "unknown-seat"
        scribe.write(other, Claim(seat, "bot"), later(7 * DAY))
        scribe.write(seat, Replace("greedy"), later(7 * DAY))
        assert refusal_code(scribe, other, Claim(seat, "bot"), 20 * DAY) == "not-late"
        clocked = dealt_writer(clock=CLOCK)
        assert refusal_code(clocked, other, Claim(seat, "bot"), 8 * DAY) == "has-clock"

    def test_a_game_without_a_clock_expires(self) -> None:
        scribe = dealt_writer()
        act(scribe, at=DAY)
        assert refusal_code(scribe, None, Expire(), 91 * DAY - 1) == "in-time"
        assert refusal_code(scribe, 0, Expire(), 91 * DAY) == "not-a-seat"
        scribe.write(None, Expire(), later(91 * DAY))
        scribe.finish(later(91 * DAY))
        assert (scribe.projection.phase, scribe.projection.outcome) == ("over", None)
        assert refusal_code(dealt_writer(clock=CLOCK), None, Expire(), 100 * DAY) == "has-clock"


class TestHints:
    def test_who_may_take_one(self) -> None:
        scribe = with_bot()
        while not scribe.projection.is_awaited(0):
            act(scribe, scribe.projection.seq)
        before = scribe.projection
        after = scribe.write(0, Hint(), later(2))
        assert after.choice_token(0) == before.choice_token(0)
        among_people = dealt_writer()
        (seat,) = among_people.projection.engine.awaited_seats(among_people.projection.state)
        assert refusal_code(among_people, seat, Hint()) == "no-hints"
        allowed = dealt_writer(hints=True)
        for hinted in (0, 1):
            allowed.write(hinted, Hint(), later(1))
        rated = with_bot(clock=CLOCK, rated=True)
        assert refusal_code(rated, 0, Hint()) == "rated-hint"


def test_times_of_a_resumed_game_have_the_format_of_entries() -> None:
    scribe = dealt_writer(clock=CLOCK)
    agree(scribe, "pause", at=1)
    scribe.write(0, Resume(), later(2.5))
    moments = {since.at for since in scribe.projection.choice_since}
    assert moments == {"2026-11-21T12:00:01.500Z"}
    assert datetime.fromisoformat(moments.pop()) == later(1.5)
