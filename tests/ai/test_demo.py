"""The demonstration: it shows each entry as an onlooker may see it, and needs no other process."""

from __future__ import annotations

import logging
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command

from ai import bot_turn
from ai.bot_dispatch import WakeMessage
from ai.management.commands import demo
from ai.terminal.log_printer import ACTION_SENTENCES, LogPrinter, ending_sentences, proof_sentences
from ai.terminal.screen import Screen
from games import selectors, services
from games.audit import stored_game_verifier
from games.models import Account, Game
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.verdict import Verdict
from tabularium_log.projection import table_actions
from tests.ai.conftest import RULES
from tests.config.processes import PATIENCE
from tests.games.sitting import stored_entries
from tests.support import warm_interpreter
from tests.support.databases import Kept

ROOT: Final = Path(__file__).parents[2]
PROOF: Final = "The secret matches the commitment"
NOWHERE: Final = "redis://127.0.0.1:1/0"
Show = Callable[..., str]


@pytest.fixture
def show(
    db: None, woken: list[WakeMessage], capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> Iterator[Show]:
    """Runs a demonstration and returns its output."""
    monkeypatch.setattr(demo, "WORKER_WAIT_SECONDS", 0)

    def run(*bots: str, games: Iterable[str] = (RULES,), seconds: float = inf) -> str:
        options = {"pace": 0, "seconds": seconds, "games": list(games)}
        call_command("demo", bots=bots or ["greedy", "random"], **options)
        return capsys.readouterr().out

    yield run
    logging.getLogger("jobs.background_publisher").setLevel(
        logging.NOTSET
    )  # the command leaves it changed, because its process ends


def printed_entries(output: str) -> list[tuple[int, str]]:
    """The numbers and hashes of the entries in the output."""
    matches = re.findall(r"(?m)^ *(\d+)  ([0-9a-f]{8})  (?:table|seat \d)", output)
    return [(int(seq), digits) for seq, digits in matches]


class TestADemonstration:
    def test_shows_every_entry_in_order(self, show: Show) -> None:
        output = show()
        log = stored_entries(Game.objects.get().pk)
        assert printed_entries(output) == [(entry.seq, entry.hash[:8]) for entry in log]
        assert len(log) > 10

    def test_ends_with_the_proof(self, show: Show) -> None:
        output = show()
        verdict = stored_game_verifier.verify_game(Game.objects.get().pk)
        assert verdict.is_good
        assert verdict.is_over
        assert output.endswith("".join(f"{line}\n" for line in proof_sentences(verdict)))

    def test_shows_a_while_and_the_end(self, show: Show) -> None:
        output = show(seconds=0)
        log = stored_entries(Game.objects.get().pk)
        shown = [seq for seq, _ in printed_entries(output)]
        assert 1 in shown
        assert shown[-1] == len(log)
        assert len(shown) < len(log) - 1
        assert PROOF in output

    def test_says_who_won(self, show: Show) -> None:
        output = show()
        outcome = selectors.game_projection(Game.objects.get().pk).outcome
        assert outcome
        assert outcome.reason in output
        assert f"Won by seat {outcome.winners[0]} (" in output

    def test_tells_what_an_onlooker_hears(self, show: Show) -> None:
        output = " ".join(show().split())
        lines = selectors.game_log(Game.objects.get().pk, None, 0, 1000)
        texts = [news["text"] for line in lines for news in line.news or ()]
        assert [text for text in texts if text not in output] == []

    def test_is_plain_where_nobody_sits(self, show: Show) -> None:
        assert "\x1b" not in show()

    @pytest.mark.parametrize("bots", [["greedy"], ["greedy"] * 3, ["random"] * 9])
    def test_has_as_many_seats_as_the_rules_allow(self, show: Show, bots: list[str]) -> None:
        show(*bots)
        assert Game.objects.get().seats == max(2, min(6, len(bots)))

    @pytest.mark.lane("slow")
    def test_goes_through_all_games(self, show: Show) -> None:
        output = show("greedy", "greedy", games=ENGINES)
        assert all(f"{engine.about.title}: " in output for engine in ENGINES.values())
        assert output.count(PROOF) == Game.objects.filter(phase="over").count() == len(ENGINES)


class TestAWorker:
    def test_that_answers_is_left_to_it(
        self, show: Show, monkeypatch: pytest.MonkeyPatch, woken: list[WakeMessage]
    ) -> None:
        def work(_: float) -> None:
            for message in woken:
                bot_turn.take_turn(message.game, message.seat, message.choice)
            woken.clear()

        def fail_if_called(*_: Any) -> None:
            raise AssertionError("the worker does it")

        monkeypatch.setattr(demo, "sleep", work)
        monkeypatch.setattr(demo, "WORKER_WAIT_SECONDS", 60)
        monkeypatch.setattr(demo, "bot_turn", type("Nobody", (), {"take_turn": fail_if_called}))
        assert PROOF in show()


class TestStopping:
    def test_an_interrupt_is_no_error(self, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(_: float) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(demo, "sleep", interrupt)
        assert "Stopped. `manage.py serve` continues the game." in show()

    def test_nor_is_one_while_a_line_is_written(
        self, show: Show, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(printer: Any) -> None:
            printer._screen.console.__enter__()  # as `print` does, before the block begins
            raise KeyboardInterrupt

        monkeypatch.setattr(LogPrinter, "print_new_entries", interrupt)
        assert "Stopped. `manage.py serve` continues the game." in show()

    @pytest.mark.parametrize("number", [-1.0, float("nan")])
    def test_times_that_are_none(self, db: None, number: float) -> None:
        for name in ("pace", "seconds"):
            with pytest.raises(CommandError, match="The pace and the seconds"):
                call_command("demo", **{name: number})


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C reaches processes that are started now, even if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
class TestAProcess:
    @pytest.mark.lane("processes")
    def test_needs_nothing_else(self, kept: Kept) -> None:
        process = self.start_demo(
            kept, "--pace=0", f"--games={RULES}", "--bots", "greedy", "random"
        )
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        assert PROOF in output
        assert "\x1b" not in output

    @pytest.mark.lane("processes")
    def test_stops_when_it_is_told_to(self, kept: Kept) -> None:
        process = self.start_demo(kept, "--pace=60")
        assert process.stdout
        assert any("begins" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        assert "Stopped." in output

    @staticmethod
    def start_demo(kept: Kept, *arguments: str) -> subprocess.Popen[str]:
        """The demonstration on a dumb terminal, without a reachable broker."""
        return warm_interpreter.Popen(
            [sys.executable, "manage.py", "demo", *arguments],
            cwd=ROOT,
            env={
                **kept.environment,
                "TERM": "dumb",
                "REDIS_URL": NOWHERE,
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


class TestWords:
    def test_there_are_some_for_whatever_can_happen(self) -> None:
        kinds = {
            action_type
            for action_type in vars(table_actions).values()
            if hasattr(action_type, "kind")
        }
        assert ACTION_SENTENCES.keys() == kinds

    def test_of_a_game_with_seeds_that_is_called_off(
        self, db: None, woken: list[WakeMessage], capsys: pytest.CaptureFixture[str]
    ) -> None:
        person = SeatAssignment(account=Account.objects.create(), seed_hash="0" * 64)
        game = services.create_game(RULES, [person, SeatAssignment()]).projection.game
        services.call_off_game(game)
        screen = Screen()
        assert LogPrinter(game, screen).print_new_entries()
        screen.say(*ending_sentences(selectors.game_projection(game)))
        output = capsys.readouterr().out
        assert "A player sits down." in output
        assert "The game was cancelled." in output

    def test_of_a_bad_verdict(self) -> None:
        bad = Verdict("game_1", seq=7, sentence="The draw is another.")
        assert list(proof_sentences(bad)) == [str(bad)]

    def test_of_a_game_with_seeds_of_all_seats(self) -> None:
        assert "own seeds" in " ".join(
            proof_sentences(Verdict("game_1", 20, level=2, is_over=True))
        )
