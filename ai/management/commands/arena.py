"""`manage.py arena`: matches between bots, with confidence intervals."""

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
from games.engines.common.codec import MalformedDocument, from_json
from games.ratings.skill import Skill
from games.registry import ENGINES

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

    def handle(self, *_: Any, game: str, **given: Any) -> None:
        contests = list(schedule_contests(game, given))
        meetings = [self._play_contest(contest, given) for contest in contests]
        rows = [
            ChartRow(_contest_name(contest), score_blocks(meeting.blocks))
            for contest, meeting in zip(contests, meetings, strict=True)
        ]
        skills = bot_ratings.rate_bots(meetings)
        for place, (bot, skill) in enumerate(skills.items(), start=1):
            told = f"OpenSkill {skill.mu:.2f} ± {skill.sigma:.2f}, ordinal {skill.ordinal:.2f}"
            self.stdout.write(f"{place}. {bot}: {told}")
        if given["json"]:
            document = _results_document(contests, rows, skills)
            given["json"].write_text(json.dumps(document, indent=2) + "\n")
        if given["keep"]:
            strength_results.save_results(map(_strength_result, contests, rows))
        if given["plot"]:
            title = f"{ENGINES[game].about.title}, {contests[0].seats} players"
            given["plot"].write_text(render_chart(title, rows))

    def _play_contest(self, contest: Contest, given: dict[str, Any]) -> PlayedContest:
        """Play one contest with a progress bar."""
        test = Sprt(given["sprt"]) if given["sprt"] else None
        played: list[Block] = []
        name = _contest_name(contest)
        with Progress(transient=True, console=Console(stderr=True)) as progress:
            bar = progress.add_task(name, total=given["games"])
            verdict: Verdict = "open"
            for block in contest.play_blocks(given["games"], given["deal"], given["jobs"]):
                played.append(block)
                progress.advance(bar, len(block.shares))
                if test and (verdict := test.verdict([b.gain for b in played])) != "open":
                    break
        asked = f"; a gain of {test.hoped_gain:g}: {verdict}" if test else ""
        self.stdout.write(f"{name}: {score_blocks(played)}{asked}")
        return PlayedContest(contest.challenger, contest.opponent, played)


def schedule_contests(game: str, given: dict[str, Any]) -> Iterator[Contest]:
    """Each bot against each one named before it, or all against one."""
    about = ENGINES[game].about
    seats = about.seats[0] if given["seats"] is None else given["seats"]
    if not about.seats[0] <= seats <= about.seats[1]:
        raise CommandError(f"{about.title} is for {about.player_count_text}, not for {seats}.")
    if given["games"] < 2 or given["jobs"] < 1:
        raise CommandError("A contest needs at least two games and one process.")
    try:
        options = from_json(about.options, json.loads(given["options"]))
        for name in filter(None, (*given["bots"], given["against"])):
            parse_contestant(name, game)
    except (json.JSONDecodeError, MalformedDocument, UnknownBot, ValueError) as problem:
        raise CommandError(str(problem)) from problem
    bots, other = given["bots"], given["against"]
    for weaker, stronger in product([other], bots) if other else combinations(bots, 2):
        yield Contest(game, stronger, weaker, seats, options, given["seconds"])


def _contest_name(contest: Contest) -> str:
    return f"{contest.challenger} against {contest.opponent}"


def _strength_result(contest: Contest, row: ChartRow) -> StrengthResult:
    """A result to store, with more digits than are shown: rounding twice misleads."""
    told = _contest_document(contest)
    usual = asdict(ENGINES[contest.slug].about.options())
    told["options"] = {name: it for name, it in told["options"].items() if it != usual[name]}
    return StrengthResult(**told, **{name: round(it, 6) for name, it in asdict(row.score).items()})


def _contest_document(contest: Contest) -> dict[str, Any]:
    return {
        "game": contest.slug,
        "seats": contest.seats,
        "options": asdict(contest.options),
        "challenger": contest.challenger,
        "opponent": contest.opponent,
    }


def _results_document(
    contests: list[Contest], rows: list[ChartRow], skills: dict[str, Skill]
) -> dict[str, list[dict[str, Any]]]:
    """The results as JSON."""
    told = zip(contests, rows, strict=True)
    shares = [_contest_document(contest) | asdict(row.score) for contest, row in told]
    ratings = [
        {"bot": bot, **skill._asdict(), "ordinal": skill.ordinal} for bot, skill in skills.items()
    ]
    return {"contests": shares, "ratings": ratings}
