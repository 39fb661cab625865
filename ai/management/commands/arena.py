"""`manage.py arena`: play matches between bots, with confidence intervals."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from ai import strength_results
from ai.arena import bot_ratings
from ai.arena.bot_ratings import PlayedContest
from ai.arena.chart import ChartRow, render_chart
from ai.arena.contest import Contest
from ai.arena.contestants import DEFAULT_THINKING_SECONDS, parse_contestant
from ai.arena.statistics import Block, Sprt, Verdict, score_blocks
from ai.bot_registry import UnknownBot
from ai.strength_results import StrengthResult
from games.ratings.skill import Skill
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.installed.registry import ENGINES, RulesetNotInstalled, find_engine

DEFAULT_BOTS: Final = ("random", "greedy", "mcts:1000")
DEFAULT_GAMES: Final = 400


class Command(BaseCommand):
    help = "Play bots against bots with the same deals from each seat; report 95 % intervals."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", choices=list(ENGINES))
        ladder = " ".join(DEFAULT_BOTS)
        add("--bots", nargs="+", default=list(DEFAULT_BOTS), help=f"weakest first ({ladder})")
        add("--against", metavar="BOT", help="play each bot against this one only")
        add("--rules", type=int, metavar="VERSION", help="of the rules (default: the newest)")
        add("--seats", type=int, help="the number of players (default: the fewest)")
        add("--options", default="{}", help="the variant, as JSON")
        add(
            "--games",
            type=int,
            default=DEFAULT_GAMES,
            help=f"games per contest, at least (default: {DEFAULT_GAMES})",
        )
        add(
            "--seconds",
            type=float,
            default=DEFAULT_THINKING_SECONDS,
            help="thinking time of bots without a number of simulations",
        )
        add("--deal", type=int, default=0, help="the number of the first deal (default: 0)")
        add(
            "--jobs",
            type=int,
            default=os.cpu_count() or 1,
            help="processes (default: one per core)",
        )
        add("--sprt", type=float, metavar="GAIN", help="stop when this gain is decided")
        add("--json", type=Path, metavar="FILE", help="also write the results to this file")
        add("--keep", action="store_true", help="store the results as the bots' published strength")
        add("--plot", type=Path, metavar="FILE", help="draw the results as SVG")

    def handle(self, *_: Any, game: str, **options: Any) -> None:
        contests = list(schedule_contests(game, options))
        meetings = [self._play_contest(contest, options) for contest in contests]
        rows = [
            ChartRow(_contest_name(contest), score_blocks(meeting.blocks))
            for contest, meeting in zip(contests, meetings, strict=True)
        ]
        skills = bot_ratings.rate_bots(meetings)
        for place, (bot, skill) in enumerate(skills.items(), start=1):
            rating_text = (
                f"OpenSkill {skill.mu:.2f} ± {skill.sigma:.2f}, ordinal {skill.ordinal:.2f}"
            )
            self.stdout.write(f"{place}. {bot}: {rating_text}")
        if options["json"]:
            document = _results_document(contests, rows, skills)
            options["json"].write_text(json.dumps(document, indent=2) + "\n")
        if options["keep"]:
            strength_results.save_results(map(_strength_result, contests, rows))
        if options["plot"]:
            title = f"{ENGINES[game].about.title}, {contests[0].seats} players"
            options["plot"].write_text(render_chart(title, rows))

    def _play_contest(self, contest: Contest, options: dict[str, Any]) -> PlayedContest:
        """Play one contest with a progress bar."""
        test = Sprt(options["sprt"]) if options["sprt"] else None
        blocks: list[Block] = []
        name = _contest_name(contest)
        with Progress(transient=True, console=Console(stderr=True)) as progress:
            bar = progress.add_task(name, total=options["games"])
            verdict: Verdict = "open"
            for block in contest.play_blocks(options["games"], options["deal"], options["jobs"]):
                blocks.append(block)
                progress.advance(bar, len(block.shares))
                if test and (verdict := test.verdict([b.gain for b in blocks])) != "open":
                    break
        suffix = f"; a gain of {test.hoped_gain:g}: {verdict}" if test else ""
        self.stdout.write(f"{name}: {score_blocks(blocks)}{suffix}")
        return PlayedContest(contest.challenger, contest.opponent, blocks)


def schedule_contests(game: str, options: dict[str, Any]) -> Iterator[Contest]:
    """Each bot against each one named before it, or all against one."""
    try:
        engine = find_engine(game, options["rules"])
    except RulesetNotInstalled as problem:
        raise CommandError(f"{problem}.") from problem
    about = engine.about
    seats = about.seats[0] if options["seats"] is None else options["seats"]
    if not about.seats[0] <= seats <= about.seats[1]:
        raise CommandError(f"{about.title} is for {about.player_count_text}, not for {seats}.")
    if options["games"] < 2 or options["jobs"] < 1:
        raise CommandError("A contest needs at least two games and one process.")
    try:
        game_options = engine.read_options(json.loads(options["options"]), seats)
        for name in filter(None, (*options["bots"], options["against"])):
            parse_contestant(name, game)
    except (json.JSONDecodeError, MalformedDocument, UnknownBot, ValueError) as problem:
        raise CommandError(str(problem)) from problem
    bots, fixed_opponent = options["bots"], options["against"]
    for opponent, challenger in (
        product([fixed_opponent], bots) if fixed_opponent else combinations(bots, 2)
    ):
        yield Contest(
            *(game, challenger, opponent, seats, game_options, options["seconds"]),
            version=about.version,
        )


def _contest_name(contest: Contest) -> str:
    return f"{contest.challenger} against {contest.opponent}"


def _strength_result(contest: Contest, row: ChartRow) -> StrengthResult:
    """A result to store, with more digits than are shown: rounding twice misleads."""
    document = _contest_document(contest)
    defaults = asdict(contest.engine.about.options())
    document["options"] = {
        name: value for name, value in document["options"].items() if value != defaults[name]
    }
    return StrengthResult(
        **document, **{name: round(value, 6) for name, value in asdict(row.score).items()}
    )


def _contest_document(contest: Contest) -> dict[str, Any]:
    return {
        "game": contest.slug,
        "version": contest.engine.about.version,
        "seats": contest.seats,
        "options": asdict(contest.options),
        "challenger": contest.challenger,
        "opponent": contest.opponent,
    }


def _results_document(
    contests: list[Contest], rows: list[ChartRow], skills: dict[str, Skill]
) -> dict[str, list[dict[str, Any]]]:
    """The results as JSON."""
    pairs = zip(contests, rows, strict=True)
    shares = [_contest_document(contest) | asdict(row.score) for contest, row in pairs]
    ratings = [
        {"bot": bot, **skill._asdict(), "ordinal": skill.ordinal} for bot, skill in skills.items()
    ]
    return {"contests": shares, "ratings": ratings}
