"""The quick pass calls no log good that the replay refuses, and all that it accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from games.audit import quick_verifier, stored_game_verifier, stored_rows
from games.models import Game
from games.position_cache import UnknownGame
from tabularium_engines.common.random_generators import RecordingRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tabularium_log.fairness.canonical_json import NotCanonicalError
from tabularium_log.fairness.committed_draws import FairRng, FieldSalts, draw_key, field_salt
from tabularium_log.fairness.signed_hash_chain import entry_hash
from tabularium_log.projection.entry import Entry, OldRow, action_pointer
from tabularium_log.projection.projection import Projection
from tests.games import old_logs
from tests.games.audit.making import Plan, people_game, plans, play_plan
from tests.games.audit.mutating import mutations
from tests.games.audit.stored_mutating import Log, Pair, SecretGame, altered, forged, secret_game
from tests.games.sitting import acting, bot_game

ACTIONS = 30  # of each game that is mutated
ALTERED = 150  # mutations of each ruleset and table
FORGED = 150
SOAK = 10_000 // (2 * len(RULESETS)) + 1  # together 10,000 of each
LINES = 6_000  # of exports, to read for each ruleset
IDS = [f"{slug}-{version}" for slug, version in RULESETS]


def short_plans(ruleset: Ruleset) -> Iterator[Plan]:
    """The plans of a ruleset, cut short."""
    for plan in plans(RULESETS[ruleset]):
        yield replace(plan, ends_at=ACTIONS)


def known_games(ruleset: Ruleset) -> list[SecretGame]:
    """Games of a ruleset with all that can happen at a table, also among people."""
    builders = [play_plan(plan) for plan in short_plans(ruleset)]
    builders += [people_game(RULESETS[ruleset], number) for number in (3, 4)]
    return list(map(secret_game, builders))


def judge(game: SecretGame, log: Log) -> str:
    """The verdicts on a log, in a word; the quick pass must not accept what the replay refuses."""
    if not game.passes(log):
        return "refused"
    assert game.is_good(log)
    return "accepted"


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
class TestMutations:
    @pytest.mark.lane("slow", core=2)
    def test_good_logs_pass(self, ruleset: Ruleset) -> None:
        for number in range(8):
            game = secret_game(people_game(RULESETS[ruleset], number))
            for log in (game.rows(), game.old_rows()):
                assert [judge(game, log), game.is_good(log)] == ["accepted", True]
        for game in known_games(ruleset):
            assert [judge(game, log) for log in (game.rows(), game.old_rows())] == ["accepted"] * 2

    @pytest.mark.lane("slow", core=2)
    def test_altered_rows(self, ruleset: Ruleset, games_count: Callable[[int, int], int]) -> None:
        games, chance, counts = known_games(ruleset), Random(str(ruleset)), Counter[str]()
        logs = [(game, log) for game in games for log in (game.rows(), game.old_rows())]
        for _ in range(2 * games_count(ALTERED, SOAK)):
            game, log = chance.choice(logs)
            counts[judge(game, altered(game, log, chance))] += 1
        assert counts["refused"] > counts["accepted"]

    @pytest.mark.lane("slow", core=2)
    def test_forgeries(self, ruleset: Ruleset, games_count: Callable[[int, int], int]) -> None:
        games, chance, counts = known_games(ruleset), Random(f"{ruleset} forged"), Counter[str]()
        for _ in range(games_count(FORGED, SOAK)):
            game = chance.choice(games)
            pairs = forged(game, chance)
            for write in (game.rows, game.old_rows):
                try:
                    log: Log = write(pairs)
                except (ValueError, AttributeError, KeyError, NotCanonicalError):
                    counts["unwritten"] += 1
                else:
                    counts[judge(game, log)] += 1
        assert counts["refused"] > counts["unwritten"]
        assert counts["accepted"] > 0  # such as a log that was cut off

    def test_no_action_follows_a_decision(self, ruleset: Ruleset) -> None:
        """All have resigned, and a seat acts by the rules of the game nevertheless."""
        fewest, _ = RULESETS[ruleset].about.seats
        builder = play_plan(Plan(RULESETS[ruleset], fewest, 1, ends_at=10))
        game, table = secret_game(builder), builder.tables[-2]
        assert table.decided_outcome is not None
        for pairs in (game.pairs[:-1], (*game.pairs[:-1], legal_action(game, table))):
            is_good = len(pairs) < len(game.pairs)
            for log in (game.rows(pairs), game.old_rows(pairs)):
                assert judge(game, log) == ("accepted" if is_good else "refused")
                assert game.is_good(log) == is_good

    @pytest.mark.lane("slow", core=2)
    def test_mutations_of_exports(
        self, ruleset: Ruleset, games_count: Callable[[int, int], int]
    ) -> None:
        """The lines of entries are the texts that the old table holds."""
        for plan in short_plans(ruleset):
            builder = play_plan(plan)
            game, lines = secret_game(builder), builder.lines("everything")
            others = play_plan(replace(plan, number=99)).lines("everything")
            log, count = game.old_rows(), games_count(LINES, 10**9) // len(lines)
            sample = list(mutations(lines, others, Random(plan.number)))
            sample = sample[:: max(1, len(sample) // count)]
            for mutation in sample:
                mutated = with_texts(log, mutation.applied(lines))
                is_beginning = mutated is None or mutated == log[: len(mutated)]
                assert is_beginning or judge(game, mutated or []) == "refused"


def legal_action(game: SecretGame, table: Projection) -> Pair:
    """A legal action of an awaited seat after this projection, with the draws that are due."""
    engine, state = table.engine, table.state
    assert state is not None
    seat = engine.awaited_seats(state)[0]
    code = state.legal_actions(seat)[0]
    key = draw_key(game.secret, game.game, table.open_seeds)
    recorder = RecordingRng(FairRng(key, game.game, table.seq + 1))
    fields = tuple(map(action_pointer, engine.sealed_fields(state, seat, code)))
    action = engine.action_json(state, seat, code)
    apply_to_copy(state, seat, code, recorder)
    return Entry(seat, table.entry.at, action, tuple(recorder.draws)), fields


def with_texts(log: list[OldRow], lines: list[bytes]) -> list[OldRow] | None:
    """The rows with the texts of an export and their hashes; None without any entry."""
    try:
        texts = [line.decode().removesuffix("\n") for line in lines if b'"seq":' in line]
    except UnicodeDecodeError:
        return None
    pairs = zip(log, texts, strict=False)
    return [row._replace(text=text, hash=entry_hash(text)) for row, text in pairs] or None


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_salts_made_quickly_are_the_salts(length: int) -> None:
    secret, game = bytes(range(length)), "game_1"
    for seq, path in ((1, "/draws"), (10**6, "/action/card")):
        salt = FieldSalts(secret, game).salt(seq, f'"{path}"')
        assert salt == field_salt(secret, game, seq, path)


@pytest.mark.django_db
class TestStored:
    def test_games_in_either_table_are_found_good(self) -> None:
        before = old_logs.store_logs_written_before()
        game, moved = bot_game(), bot_game("duel_of_law")
        for each in (game, moved):
            for _, _ in zip(acting(each), range(12), strict=False):
                pass
        good = {verdict.game for verdict in quick_verifier.find_good([*before, game, moved])}
        assert good == {*before, game, moved}
        old_logs.put_into_old_table(moved)
        assert [each.game for each in quick_verifier.find_good([game, moved])] == [game, moved]

    def test_verdicts_come_in_order_and_are_those_of_the_replay(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(quick_verifier, "BATCH", 2)
        monkeypatch.setattr(stored_rows, "READ_AT_ONCE", 5)
        games = [bot_game() for _ in range(5)]
        Game.objects.filter(pk=games[3]).update(bots=0)
        order = [games[4], *games]
        verdicts = list(quick_verifier.verify_games(order))
        assert verdicts == [stored_game_verifier.verify_game(game) for game in order]
        assert [verdict.is_good for verdict in verdicts] == [True, True, True, True, False, True]

    def test_a_good_game_is_not_replayed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = bot_game()
        monkeypatch.setattr(stored_game_verifier, "verify_game", pytest.fail)
        assert [verdict.is_good for verdict in quick_verifier.verify_games([game])] == [True]

    def test_a_game_that_is_not_here(self) -> None:
        with pytest.raises(UnknownGame):
            list(quick_verifier.verify_games(["game_0"]))
