"""`manage.py play`, with its input piped in: whole games, bad input, files left or changed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ai.terminal import game_file
from ai.terminal.explanation import Explanation
from tabularium_engines.base import Result
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import BrokenLog, start_log
from tabularium_engines.installed.registry import ENGINES

ENGINE = ENGINES["law_of_the_dice"]
ARGUMENTS = ("--bots", "greedy", "--seed", "4", "--option", "points_to_win=1")


class Terminal:
    """Pipes input in, returns the output, and keeps the log in one file."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        self.log = folder / "game.ndjson"
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def play(self, typed: str, *arguments: Any, game: str = "law_of_the_dice") -> str:
        """The output for this input, after which the input ends."""
        self._monkeypatch.setattr(sys, "stdin", StringIO(typed))
        call_command("play", game, *map(str, arguments))
        return self._capsys.readouterr().out

    def begin(self, typed: str, *arguments: Any) -> str:
        """The output of a new game."""
        return self.play(typed, *ARGUMENTS, "--log", self.log, *arguments)

    def result(self) -> Result | None:
        """The result of the game in the file, folded from the log alone."""
        return ENGINE.result(game_file.read_game_file(ENGINE, self.log)[1][-1])

    def edit_line(self, number: int, **changes: Any) -> None:
        """Change a line of the log."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        lines[number] = json.dumps(json.loads(lines[number]) | changes)
        self.log.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Terminal:
    return Terminal(monkeypatch, capsys, tmp_path)


class TestPlaying:
    def test_always_the_first_choice_ends_the_game(self, terminal: Terminal) -> None:
        output = terminal.begin("1\n" * 500)
        result = terminal.result()
        assert result is not None
        assert result.reason in output.rpartition("Scores:")[0]
        points = [f"({'you' if s == 0 else 'greedy'}) {p}" for s, p in enumerate(result.scores)]
        assert all(point in output.rpartition("Scores:")[2] for point in points)

    def test_writes_plain_text_into_a_pipe(self, terminal: Terminal) -> None:
        output = terminal.begin("1\n1\n")
        assert "\x1b" not in output
        assert "\n  1  Play " in output
        assert "Your choice, 1–" in output

    @pytest.mark.lane("slow")
    def test_a_terminal_without_suits_is_no_obstacle(self, tmp_path: Path) -> None:
        arguments = ("manage.py", "play", ENGINE.about.slug, "--log", tmp_path / "log")
        process = subprocess.run(
            [sys.executable, *arguments, *ARGUMENTS],
            input=b"1\n\xff\n",
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
            check=True,
        )
        assert b"PYTHONIOENCODING=utf-8 may help" in process.stdout
        assert b"You leave the table." in process.stdout

    def test_the_same_seed_deals_the_same_cards(self, terminal: Terminal) -> None:
        first = terminal.begin("")
        terminal.log.unlink()
        assert terminal.begin("") == first

    def test_watching_asks_nothing(self, terminal: Terminal) -> None:
        output = terminal.begin("", "--watch")
        assert terminal.result() is not None
        assert "Your choice" not in output
        assert "Scores:" in output

    def test_the_person_sees_their_own_seat_only(self, terminal: Terminal) -> None:
        output = terminal.begin("1\n" * 3, "--seat", "1", "--seats", "2")
        assert "You are seat 1" in output
        assert "as seat 1 sees it" in output
        assert "as seat 0 sees it" not in output
        assert "Seat 0 is dealt 5 cards" in output


class TestTyping:
    @pytest.mark.parametrize("line", ["0", "99", "-1", "foo", "1.5", "²", "\x1b[A", "9" * 5000])
    def test_bad_input_is_answered_with_a_sentence(self, terminal: Terminal, line: str) -> None:
        output = terminal.begin(f"{line}\n")
        assert "is not a choice. Type 1–" in output
        assert "\x1b" not in output

    def test_an_empty_line_is_told_what_to_type(self, terminal: Terminal) -> None:
        assert "\nType 1–" in terminal.begin("\n")

    def test_the_rules(self, terminal: Terminal) -> None:
        assert "Three points win." in terminal.begin("?\n")

    def test_a_hint_is_one_of_the_choices(self, terminal: Terminal) -> None:
        hint = terminal.begin("h\n", "--seconds", "0").partition("mcts would choose ")[2]
        number, _, label = hint.partition("\n")[0].partition(": ")
        assert f"\n{number:>3}  {label}\n" in terminal.play("", "--resume", terminal.log)

    def test_the_news_so_far_and_the_table_again(self, terminal: Terminal) -> None:
        output = terminal.begin("n\ns\n")
        assert output.count("Seat 0 is dealt") == 2
        assert output.count("Law of the Dice as seat 0 sees it") == 2

    def test_quitting_says_how_to_go_on(self, terminal: Terminal) -> None:
        output = terminal.begin("q\n1\n")
        assert output.count("Your choice") == 1
        assert f"--resume {terminal.log} --seat 0 --bots greedy,greedy" in output

    def test_an_interrupt_quits_too(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(turn: Any, *_: object) -> None:
            turn._screen.console.__enter__()  # as it begins to write a line
            raise KeyboardInterrupt

        monkeypatch.setattr("ai.terminal.human_turn.HumanTurn.decide", interrupt)
        assert "You leave the table." in terminal.begin("")


class TestCommands:
    """Seat 0 holds 2♠ 5♠ K♥ 3♦ A♦ 4♣ when it is asked first."""

    def actions(self, terminal: Terminal, typed: str, seat: int = 0) -> list[Any]:
        """The person's actions, typed at a table for three."""
        terminal.begin(typed, "--seats", "3", "--seat", seat)
        lines = terminal.log.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines[1:]]
        return [entry["action"] for entry in entries if entry.get("seat") == seat]

    def test_the_printed_language(self, terminal: Terminal) -> None:
        enacted, stolen, aimed = self.actions(terminal, "law 2 -slot 3\np 5 -target 2\n")
        assert (enacted["card"], enacted["slot"]) == ("5S", 3)
        assert stolen["card"] == "4C"
        assert aimed == {"type": "law_of_the_dice.target", "seat": 2}

    def test_an_action_without_fields_has_one_key_throughout(self, terminal: Terminal) -> None:
        actions = self.actions(terminal, "d\nd\nc\n", seat=1)
        kinds = [action["type"].partition(".")[2] for action in actions]
        assert kinds == ["draw", "draw", "call_count"]

    @pytest.mark.parametrize("line", ["play 4♣", "play 4c", "PLAY 4♣ steal", "p 6"])
    def test_the_first_words_of_an_offer(self, terminal: Terminal, line: str) -> None:
        (played,) = self.actions(terminal, f"{line}\n")
        assert played == {"type": "law_of_the_dice.play", "card": "4C"}

    def test_a_line_that_may_mean_several_offers_lists_them(self, terminal: Terminal) -> None:
        output = terminal.begin("make 4♣\n", "--seats", "3")
        assert "Which of these?\n 28  Make 4♣ law 1, on 20\n 29  Make 4♣ law 2" in output

    def test_a_wrong_command_is_answered_with_a_sentence(self, terminal: Terminal) -> None:
        output = terminal.begin("play 9\n", "--seats", "3")
        assert "“9” is no card: give a number from 1 to 6." in output

    def test_an_answer_for_later_is_forgotten_if_another_offer_is_typed(
        self, terminal: Terminal
    ) -> None:
        """The second line corrects the first, so the target is asked for."""
        played, aimed = self.actions(terminal, "p 1 -target 2\np 6\n1\n")
        assert played["card"] == "4C"
        assert aimed["seat"] == 1


class TestFiles:
    def test_every_entry_is_written_at_once(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines: list[int] = []
        keep = game_file.GameFile.write_new_entries

        def count_lines(game: game_file.GameFile) -> None:
            keep(game)
            lines.append(len(terminal.log.read_text(encoding="utf-8").splitlines()))

        monkeypatch.setattr(game_file.GameFile, "write_new_entries", count_lines)
        terminal.begin("1\n" * 10)
        assert lines == list(range(2, 2 + len(lines)))

    def test_a_game_goes_on_where_it_was_left(self, terminal: Terminal) -> None:
        terminal.begin("1\n1\n")
        log_text = terminal.log.read_text(encoding="utf-8")
        terminal.log.write_text(
            log_text.rstrip("\n"), encoding="utf-8"
        )  # without the final newline
        terminal.play("1\n" * 500, "--resume", terminal.log, "--bots", "random")
        assert terminal.log.read_text(encoding="utf-8").startswith(log_text)
        assert terminal.result() is not None

    def test_a_finished_game_is_not_gone_on_with(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 500)
        before = terminal.log.read_bytes()
        assert "Scores:" in terminal.play("", "--resume", terminal.log)
        assert terminal.log.read_bytes() == before

    def test_no_file_is_overwritten(self, terminal: Terminal) -> None:
        terminal.begin("")
        before = terminal.log.read_bytes()
        with pytest.raises(CommandError, match="already exists"):
            terminal.begin("")
        assert terminal.log.read_bytes() == before


class TestWhy:
    def test_the_turning_point_is_told_after_the_game(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 500)
        told = terminal.play("why\n", "--resume", terminal.log).partition("leave: why\n")[2]
        result = terminal.result()
        assert result is not None
        outcome = "won" if 0 in result.winners else "lost"
        assert told.startswith(f"You {outcome} because of entry ")
        seq = int(told.removeprefix(f"You {outcome} because of entry ").partition(":")[0])
        action = json.loads(terminal.log.read_text(encoding="utf-8").splitlines()[seq])["action"]
        assert action is not None
        assert "an equal share" in told
        assert "After each quarter of the game they were " in told

    def test_a_game_that_is_only_watched_is_not_explained(self, terminal: Terminal) -> None:
        assert "why" not in terminal.begin("", "--watch")

    @pytest.mark.parametrize(
        ("chances", "is_won", "seq"),
        [
            ([0.5, 0.4, 0.6, 0.3, 0.2, 0.0], False, 4),
            ([0.4, 0.6, 0.3, 0.5, 1.0], True, 4),
            ([0.4, 0.3, 0.2, 0.0], False, None),
            ([0.5, 0.6, 0.5], True, None),  # a shared victory
            ([0.5, 0.6, 0.0], False, 3),
        ],
    )
    def test_the_turning_point_is_the_last_change_of_the_lead(
        self, chances: list[float], is_won: bool, seq: int | None
    ) -> None:
        state, log = start_log(ENGINE, ENGINE.about.options(), 2, FastRng(1))
        explanation = Explanation(ENGINE, log, 0, [state], chances, is_won)
        assert explanation.turning_point == seq


class TestReplaying:
    def test_steps_on_and_back(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 500)
        output = terminal.play("\n\nb\n5\nfoo\n0\nq\n", "--replay", terminal.log)
        seqs = [line.split()[1] for line in output.splitlines() if line.startswith("Entry ")]
        assert seqs == ["1", "2", "3", "2", "5"]
        assert output.count("Entries go from 1 to ") == 2
        assert "as an onlooker sees it" in output

    def test_ends_with_the_last_entry(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 500)
        output = terminal.play("\n" * 500, "--replay", terminal.log, "--everything")
        assert "That was the last entry." in output
        assert " chose “" in output

    def test_a_seat_sees_only_its_own_choices(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 500)
        output = terminal.play("\n" * 500, "--replay", terminal.log, "--seat", "1")
        assert "seat 1 chose “" in output
        assert "seat 0 has decided" in output
        assert "seat 0 chose" not in output

    def test_secrets_stay_until_the_game_is_over(self, terminal: Terminal) -> None:
        terminal.begin("")
        with pytest.raises(CommandError, match="not over"):
            terminal.play("", "--replay", terminal.log, "--everything")


class TestBrokenLogs:
    @pytest.fixture(autouse=True)
    def game(self, terminal: Terminal) -> None:
        terminal.begin("1\n" * 6)

    def refusal(self, terminal: Terminal) -> str:
        for option in ("--replay", "--resume"):
            before = terminal.log.read_bytes()
            with pytest.raises(CommandError) as refused:
                terminal.play("", option, terminal.log)
            assert terminal.log.read_bytes() == before
        return str(refused.value)

    def test_cut_off(self, terminal: Terminal) -> None:
        lines = terminal.log.read_text(encoding="utf-8").splitlines()
        terminal.log.write_text("\n".join(lines)[:-5], encoding="utf-8")
        assert f"Entry {len(lines) - 1} is truncated" in self.refusal(terminal)

    @pytest.mark.parametrize(
        "changes",
        [
            {"action": {"type": "law_of_the_dice.vote", "suit": "spades"}},
            {"action": None},
            {"seat": "x"},
            {"seat": None},
            {"draws": [[60, 52]]},
            {"draws": 7},
            {"seq": 9},
            {"stranger": 1},
        ],
    )
    def test_changed(self, terminal: Terminal, changes: dict[str, Any]) -> None:
        terminal.edit_line(3, **changes)
        assert "Entry 3 " in self.refusal(terminal)

    @pytest.mark.parametrize(
        "changes", [{"seats": 9}, {"seats": "3"}, {"rules": "chess"}, {"options": 1}, {"x": 1}]
    )
    def test_changed_at_the_head(self, terminal: Terminal, changes: dict[str, Any]) -> None:
        terminal.edit_line(0, **changes)
        assert "The header " in self.refusal(terminal)

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"[]\n", b"{}\n", b"[" * 99999])
    def test_something_else(self, terminal: Terminal, content: bytes) -> None:
        terminal.log.write_bytes(content)
        with pytest.raises(BrokenLog, match=r"^The header "):
            game_file.read_game_file(ENGINE, terminal.log)

    def test_no_entries(self, terminal: Terminal) -> None:
        head = terminal.log.read_bytes().splitlines(keepends=True)[0]
        terminal.log.write_bytes(head)
        assert "Entry 1 is missing" in self.refusal(terminal)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--seats", 7), "is for 2 to 6 players, not 7"),
        (("--seat", 3), "there is no seat 3"),
        (("--bots", "greedy,deep"), "There is no bot “deep”"),
        (("--seconds", -1), "The thinking time must be"),
        (("--seconds", "nan"), "The thinking time must be"),
        (("--seed", -1), "A seed must be"),
        (("--option", "suit_by=coin"), "Option suit_by must be one of vote, die"),
        (("--option", "laws_kept=1"), "Option laws_kept must be true or false"),
        (("--option", "colour=red"), "Option colour is unknown"),
        (("--replay", "/nowhere.ndjson"), "cannot be read"),
        (("--resume", "/"), "cannot be read"),
        (("--log", "/"), "already exists"),
        (("--log", "/dev/null/x/y"), "cannot be written"),
        (("--seats", "two"), "invalid int value"),
    ],
)
def test_a_wish_that_cannot_be_met(
    terminal: Terminal, arguments: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        terminal.play("", *arguments)


def test_a_game_that_is_not_there(terminal: Terminal) -> None:
    with pytest.raises(CommandError, match="There is no game “chess”"):
        terminal.play("", game="chess")


def test_without_a_game_all_games_are_listed() -> None:
    with pytest.raises(CommandError) as caught:
        call_command("play")
    for slug, engine in ENGINES.items():
        line = rf"(?m)^  {slug} +{engine.about.title}, \d( to \d)? players$"
        assert re.search(line, str(caught.value))
