"""Skill: how often the stronger of two bots wins at a table."""

from __future__ import annotations

from dataclasses import replace

from ai.arena.contest import Contest
from ai.balance.laboratory import Result
from tabularium_engines.heuristics.outcome import OutcomeHeuristic
from tabularium_engines.installed.heuristics import HEURISTICS


def weaker_bot(result: Result) -> str:
    """The bot to beat: the one that looks a decision ahead, or without a heuristic the random
    one."""
    heuristic = HEURISTICS[result.cell.ruleset]
    return "random" if isinstance(heuristic, OutcomeHeuristic) else "greedy"


def measure_skill(result: Result, games: int, jobs: int) -> Result:
    """The result with the score of its bot against a weaker one, of at least that many games."""
    if result.skill is not None and result.skill.games >= games:
        return result
    cell = result.cell
    slug, version = cell.ruleset
    contest = Contest(
        slug, result.bot, weaker_bot(result), cell.seats, cell.options, version=version
    )
    return replace(result, skill=contest.play_and_score(games, jobs=jobs))
