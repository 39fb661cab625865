"""Ratings of bots over all contests of a schedule, by OpenSkill as for players; but bots neither
learn nor forget, so the uncertainty about them only falls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from ai.arena.statistics import Block, mean
from games.ratings.skill import CONSTANT_SKILL_MODEL, Skill, rate_sides


@dataclass(frozen=True)
class PlayedContest:
    """All blocks of a contest between two bots."""

    challenger: str
    opponent: str
    blocks: Sequence[Block]


class RankedGame(NamedTuple):
    """A game between one side of the challenger and all the opponent's sides; where all win
    together, two games of the same deal, one by each bot, are compared as one."""

    challenger: str
    opponent: str
    ranks: tuple[int, ...]  # the challenger first


def rate_bots(meetings: Sequence[PlayedContest]) -> dict[str, Skill]:
    """The rating of every bot of the schedule, the best first. All contests advance deal by deal,
    so that no bot is rated by an earlier contest's opinion of its opponent."""
    skills: dict[str, Skill] = {}
    for game in _ranked_games(meetings):
        _apply_game(skills, game)
    return dict(sorted(skills.items(), key=lambda item: -item[1].ordinal))


def _ranked_games(meetings: Sequence[PlayedContest]) -> Iterator[RankedGame]:
    rounds: Iterable[tuple[Block | None, ...]] = zip_longest(
        *(meeting.blocks for meeting in meetings)
    )
    for blocks in rounds:
        for meeting, block in zip(meetings, blocks, strict=True):
            for ranks in () if block is None else block_ranks(block):
                yield RankedGame(meeting.challenger, meeting.opponent, ranks)


def block_ranks(block: Block) -> list[tuple[int, ...]]:
    """The ranks in each game of a block. Where all win together, each bot has played the deal
    once."""
    if len(block.shares) == 1:
        return [(1 + (share < block.par), 1 + (share > block.par)) for share in block.shares]
    opponent_count = round(1 / block.par) - 1
    return [_ranks_of_share(share, opponent_count) for share in block.shares]


def _ranks_of_share(share: float, opponent_count: int) -> tuple[int, ...]:
    """The ranks in a game, from the challenger side's share of the victory: it won alone, tied with
    others, or lost to one other. It does not matter which of several equal bots that was."""
    if share == 0:
        return (2, 1, *[2] * (opponent_count - 1))
    winners = min(round(1 / share) - 1, opponent_count)
    return (1, *[1] * winners, *[2] * (opponent_count - winners))


def _apply_game(skills: dict[str, Skill], game: RankedGame) -> None:
    """Update both ratings after a game. Equal bots share one rating: the mean of the ratings of
    their copies."""
    challenger, opponent = (skills.get(name, Skill()) for name in game[:2])
    (new_challenger,), *opponent_sides = rate_sides(
        [[challenger], *[[opponent]] * (len(game.ranks) - 1)], game.ranks, CONSTANT_SKILL_MODEL
    )
    opponent_skills = list(chain.from_iterable(opponent_sides))
    skills[game.challenger] = new_challenger
    skills[game.opponent] = Skill(
        mean([s.mu for s in opponent_skills]), mean([s.sigma for s in opponent_skills])
    )
