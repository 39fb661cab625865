"""A cheating server is convicted. It knows every secret and signs anything, so some lies are
consistent throughout; only receipts that players have kept contradict those."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES, find_engine
from tabularium_log.audit.export_verifier import verify_export
from tabularium_log.fairness.signed_hash_chain import Receipt, public_key
from tabularium_log.projection import table_actions
from tests.docs.verifier import VERIFIER
from tests.games.audit.forging import Change, first_of, forged, receipt
from tests.games.audit.making import (
    OTHER_KEY,
    SIGNING_KEY,
    GameBuilder,
    Plan,
    new_plan,
    play_plan,
    random_decision,
    start_plan,
)

RIGHT_KEY = public_key(SIGNING_KEY)
LONG_GAME = pytest.param("duel_of_law", marks=pytest.mark.lane("slow"))


@pytest.fixture(scope="module", params=[LONG_GAME, *sorted(ENGINES.keys() - {*LONG_GAME.values})])
def game(request: pytest.FixtureRequest) -> GameBuilder:
    """A finished game in which every person gave a seed."""
    return play_plan(new_plan(ENGINES[request.param], 3, 5, has_seeds=True))


def both_flaws(
    lines: list[bytes], receipts: list[Receipt] | None = None, key: str | None = None
) -> Iterator[tuple[str, int | None]]:
    """The flaw that docs/verify.py reports, then the service's: its sentence and entry; "" if
    none."""
    notes = [json.dumps(vars(receipt)).encode() for receipt in receipts or []]
    try:
        VERIFIER.verify(lines, notes, key)
        yield "", None
    except VERIFIER.Wrong as wrong:
        yield wrong.sentence, wrong.seq
    verdict = verify_export(lines, receipts or [], key)
    yield verdict.sentence, verdict.seq


def by_verifier(lines: list[bytes]) -> tuple[str, int | None]:
    return next(both_flaws(lines))


def by_audit(lines: list[bytes]) -> tuple[str, int | None]:
    return list(both_flaws(lines))[1]


def agreed_flaw(
    lines: list[bytes], kept: list[Receipt] | None = None, key: str | None = None
) -> tuple[str, int | None]:
    """The verdict of both verifiers, which must agree."""
    first, second = both_flaws(lines, kept, key)
    assert first == second
    return first


def entry_change(seq: int, **parts: Any) -> Change:
    """A change to some parts of an entry, or (action) to some of its fields."""

    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entry = entries[seq - 1]
        if isinstance(parts.get("action"), dict):
            action = entry["action"] or fields[str(seq)]["/action"]  # open, or sealed as a whole
            action.update(parts["action"])
        entry.update({name: part for name, part in parts.items() if name != "action"})

    return change


class TestALieThatDoesNotFit:
    """Both verifiers find it, whichever key signs."""

    def test_nothing_is_said_of_a_game_that_was_only_signed_again(self, game: GameBuilder) -> None:
        assert agreed_flaw(forged(game, lambda entries, fields: None)) == ("", None)

    def test_an_altered_draw(self, game: GameBuilder) -> None:
        start = first_of(game, "start")

        def change(entries: list[Any], fields: dict[str, Any]) -> None:
            value, limit = fields[str(start)]["/draws"][0]
            fields[str(start)]["/draws"][0] = [(value + 1) % limit, limit]

        sentence, seq = by_verifier(forged(game, change))
        assert seq == start
        assert sentence.startswith("Draw 1 is")
        assert by_audit(forged(game, change))[1] == start

    def test_a_seed_that_was_not_promised(self, game: GameBuilder) -> None:
        open_seed_seq = first_of(game, "open_seed")
        lines = forged(game, entry_change(open_seed_seq, action={"seed": "00" * 32}))
        assert [seq for _, seq in both_flaws(lines)] == [open_seed_seq, open_seed_seq]

    def test_a_swapped_secret(self, game: GameBuilder) -> None:
        end = game.table.seq
        sentence, seq = agreed_flaw(forged(game, entry_change(end, action={"secret": "00" * 32})))
        assert seq == end
        assert "secret" in sentence

    def test_a_time_before_the_entry_before(self, game: GameBuilder) -> None:
        lines = forged(game, entry_change(9, at="2026-01-01T00:00:00.000Z"))
        assert [seq for _, seq in both_flaws(lines)] == [9, 9]

    def test_a_seat_that_is_not_there(self, game: GameBuilder) -> None:
        seq = first_of(game, "")
        assert [
            flaw_seq for _, flaw_seq in both_flaws(forged(game, entry_change(seq, seat=9)))
        ] == [
            seq,
            seq,
        ]

    def test_another_level(self, game: GameBuilder) -> None:
        start = first_of(game, "start")
        lines = forged(game, entry_change(start, action={"level": 1}))
        assert [seq for _, seq in both_flaws(lines)] == [start, start]


class TestALieAboutARatedGame:
    """Both verifiers check whether a game counts, and which players play it."""

    @pytest.fixture
    def contest(self) -> GameBuilder:
        """A rated game of three, one of which resigns."""
        clock = table_actions.Clock(60_000, "resign")
        fields = {"has_seeds": True, "clock": clock, "rated": True, "resigns_at": 4}
        return play_plan(new_plan(ENGINES["law_of_the_dice"], 3, 7, **fields))

    def test_it_is_good(self, contest: GameBuilder) -> None:
        assert agreed_flaw(contest.lines()) == ("", None)

    @pytest.mark.parametrize(
        "lie",
        [{"rated": False}, {"clock": None}, {"clock": {"action_ms": 60_000, "then": "bot"}}],
        ids=str,
    )
    def test_what_ends_it(self, contest: GameBuilder, lie: dict[str, Any]) -> None:
        assert [seq for _, seq in both_flaws(forged(contest, entry_change(1, action=lie)))] == [
            1,
            1,
        ]

    def test_a_rule_for_new_games_is_none_for_a_log(self) -> None:
        """A rated game of two in one leg is refused when it is created; its log is read."""
        clock = table_actions.Clock(60_000, "resign")
        for version in (1, 2):
            engine = find_engine("law_of_the_dice", version)
            contest = play_plan(new_plan(engine, 2, 7, clock=clock, rated=True, ends_at=4))
            assert ENGINES[engine.about.slug].rating_refusal(contest.tables[0].options, 2)
            assert agreed_flaw(contest.lines()) == ("", None)

    def test_a_bot_on_two_seats(self, contest: GameBuilder) -> None:
        joins = [table.seq for table in contest.tables if isinstance(table.entry.seat, int)]
        lines = forged(contest, entry_change(joins[2], action={"bot": "greedy"}))
        assert [seq for _, seq in both_flaws(lines)] == [joins[2], joins[2]]

    def test_a_bot_for_somebody_who_has_not_resigned(self, contest: GameBuilder) -> None:
        replaced = first_of(contest, "replace")
        (resigned_seat,) = (seat for seat in range(3) if contest.table.has_resigned(seat))
        lines = forged(contest, entry_change(replaced, seat=(resigned_seat + 1) % 3))
        assert [seq for _, seq in both_flaws(lines)] == [replaced, replaced]


class TestALieThatOnlyTheRulesExpose:
    def test_an_omitted_action(self, game: GameBuilder) -> None:
        """Without the rules, the draws expose it: each entry's seq has its own stream of draws."""
        seq = first_of(game, "") + 1

        def omit(entries: list[Any], fields: dict[str, Any]) -> None:
            del entries[seq - 1]
            renumbered = {
                str(int(n) - (int(n) > seq)): f for n, f in fields.items() if int(n) != seq
            }
            fields.clear()
            fields.update(renumbered)

        sentence, flaw_seq = by_audit(forged(game, omit))
        assert sentence
        assert flaw_seq is not None
        assert flaw_seq >= seq

    def test_another_seat_acts(self, game: GameBuilder) -> None:
        seq = first_of(game, "")
        entry = json.loads(game.rows[seq - 1].text)
        lines = forged(game, entry_change(seq, seat=(entry["seat"] + 1) % game.plan.seats))
        assert by_verifier(lines) == ("", None)
        assert by_audit(lines)[1] == seq

    def test_an_action_that_is_none(self, game: GameBuilder) -> None:
        seq = first_of(game, "")
        kind = f"{game.plan.engine.about.slug}.cheat"
        lines = forged(game, entry_change(seq, action={"type": kind}))
        assert by_verifier(lines) == ("", None)
        assert by_audit(lines)[1] == seq

    def test_another_result(self, game: GameBuilder) -> None:
        end = game.table.seq
        result = json.loads(game.rows[-1].text)["action"]["result"] | {"reason": "I say so."}
        lines = forged(game, entry_change(end, action={"result": result}))
        assert by_verifier(lines) == ("", None)
        assert by_audit(lines)[1] == end


class TestALieThatOnlyReceiptsExpose:
    def test_another_time_that_is_possible(self, game: GameBuilder) -> None:
        seq = 9
        lines = forged(game, entry_change(seq, at=json.loads(game.rows[seq - 2].text)["at"]))
        assert agreed_flaw(lines) == ("", None)
        sentence, flaw_seq = agreed_flaw(lines, [receipt(game, seq)])
        assert flaw_seq == seq
        assert sentence.startswith("The server signed another hash")

    def test_the_same_with_the_receipts_of_the_honest_game(self, game: GameBuilder) -> None:
        lines = forged(game, entry_change(9, at=json.loads(game.rows[7].text)["at"]), key=None)
        assert agreed_flaw(lines)[1] == next(
            n for n in (100, game.table.seq) if n <= game.table.seq
        )

    @pytest.mark.lane("slow", core=1)
    def test_a_grinded_secret(self, game: GameBuilder) -> None:
        """The server sees the opened seeds and restarts with a secret that it prefers."""
        other = play_plan(replace(game.plan, whim=1))
        assert agreed_flaw(other.lines()) == ("", None)
        join_seq = first_of(game, "join")
        sentence, seq = agreed_flaw(other.lines(), [receipt(game, join_seq)])
        assert seq == join_seq
        assert sentence.startswith("The server signed another hash")

    def test_a_forked_log(self, game: GameBuilder) -> None:
        """Two players are shown different logs; their receipts convict the server without a log."""
        other = play_plan(replace(game.plan, whim=1))
        kept = [receipt(game, 12), receipt(other, 12)]
        sentence, seq = agreed_flaw(game.lines(), kept)
        assert seq == 12
        assert sentence.startswith("Two receipts for this entry disagree")

    def test_an_end_that_was_put_earlier(self) -> None:
        """The log is over, but a player holds a receipt for a later entry."""
        engine = next(iter(ENGINES.values()))
        long, short = play_plan(new_plan(engine, 2, 6)), resigned_game(new_plan(engine, 2, 6))
        sentence, seq = agreed_flaw(short.lines(), [receipt(long, long.table.seq)])
        assert seq == long.table.seq
        assert "after" in sentence

    def test_another_server(self, game: GameBuilder) -> None:
        """Anyone with a finished game knows its secret and can write a consistent forgery."""

        def change(entries: list[Any], fields: dict[str, Any]) -> None:
            entries[0]["action"]["key"] = public_key(OTHER_KEY)

        lines = forged(game, change, OTHER_KEY)
        assert agreed_flaw(lines) == ("", None)
        assert all(
            "not signed with the given key" in sentence
            for sentence, _ in both_flaws(lines, key=RIGHT_KEY)
        )


class TestReceiptsThatAreWorthNothing:
    def test_a_false_signature(self, game: GameBuilder) -> None:
        false = replace(receipt(game, 9), signature="00" * 64)
        assert agreed_flaw(game.lines(), [false]) == ("A receipt has an invalid signature.", 9)

    def test_it_cannot_convict_the_server_of_two_stories(self, game: GameBuilder) -> None:
        false = replace(receipt(game, 9), hash="00" * 32)
        sentence, seq = agreed_flaw(game.lines(), [receipt(game, 9), false])
        assert (sentence, seq) == ("A receipt has an invalid signature.", 9)

    def test_another_key(self, game: GameBuilder) -> None:
        false = replace(receipt(game, 9), key=public_key(OTHER_KEY))
        assert agreed_flaw(game.lines(), [false]) == ("A receipt is signed with another key.", 9)

    def test_one_of_another_game_says_nothing(self, game: GameBuilder) -> None:
        other = play_plan(replace(game.plan, number=7))
        assert agreed_flaw(game.lines(), [receipt(other, 9)]) == ("", None)

    def test_one_that_fits(self, game: GameBuilder) -> None:
        assert agreed_flaw(game.lines(), [receipt(game, 9)], RIGHT_KEY) == ("", None)


def resigned_game(plan: Plan) -> GameBuilder:
    """A game of two that ends by resignation after its first action."""
    builder = start_plan(plan)
    builder.write(*random_decision(builder.table, Random(1)))
    builder.write(0, table_actions.Resign())
    builder.write(None, table_actions.End(plan.secret.hex(), builder.table.decided_outcome))
    return builder
