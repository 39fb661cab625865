"""How good is each bot of a schedule, in one number for all its contests? By OpenSkill, as players
are rated; but bots neither learn nor forget, so that doubt about them only ever falls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from ai.arena.statistics import Block, mean
from games.ratings.skill import CONSTANT_SKILL_MODEL, Skill, rate_sides


@dataclass(frozen=True)
class PlayedContest:
    """All that two bots have played against each other."""

    challenger: str
    opponent: str
    blocks: Sequence[Block]


class RankedGame(NamedTuple):
    """A game between a side of the challenger and as many of the opponent as there were; where all
    win together, of one each, that played the same deal."""

    challenger: str
    opponent: str
    ranks: tuple[int, ...]  # the challenger's first


def rate_bots(meetings: Sequence[PlayedContest]) -> dict[str, Skill]:
    """Every bot of the schedule, the best first. Deal by deal all contests go on at once, so that
    none is rated by what an earlier contest made of its opponent."""
    skills: dict[str, Skill] = {}
    for bout in _ranked_games(meetings):
        _apply_game(skills, bout)
    return dict(sorted(skills.items(), key=lambda item: -item[1].ordinal))


def _ranked_games(meetings: Sequence[PlayedContest]) -> Iterator[RankedGame]:
    dealt: Iterable[tuple[Block | None, ...]] = zip_longest(*(each.blocks for each in meetings))
    for blocks in dealt:
        for meeting, block in zip(meetings, blocks, strict=True):
            for ranks in () if block is None else block_ranks(block):
                yield RankedGame(meeting.challenger, meeting.opponent, ranks)


def block_ranks(block: Block) -> list[tuple[int, ...]]:
    """The ranks in each of its games. All win together in a deal that was played once by each."""
    if len(block.shares) == 1:
        return [(1 + (share < block.par), 1 + (share > block.par)) for share in block.shares]
    others = round(1 / block.par) - 1
    return [_ranks_of_share(share, others) for share in block.shares]


def _ranks_of_share(share: float, others: int) -> tuple[int, ...]:
    """The ranks in a game that shared one victory among its sides: by what the challenger's got, it
    won alone, with others, or one other did. Which of several equal bots that was is all one."""
    if share == 0:
        return (2, 1, *[2] * (others - 1))
    winners = min(round(1 / share) - 1, others)
    return (1, *[1] * winners, *[2] * (others - winners))


def _apply_game(skills: dict[str, Skill], bout: RankedGame) -> None:
    """What is believed of both after a game. Equal bots are one: theirs is the mean of what is
    believed of each."""
    one, other = (skills.get(name, Skill()) for name in bout[:2])
    (first,), *rest = rate_sides(
        [[one], *[[other]] * (len(bout.ranks) - 1)], bout.ranks, CONSTANT_SKILL_MODEL
    )
    theirs = list(chain.from_iterable(rest))
    skills[bout.challenger] = first
    skills[bout.opponent] = Skill(mean([s.mu for s in theirs]), mean([s.sigma for s in theirs]))
