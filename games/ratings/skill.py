"""Skill ratings by OpenSkill, with the Plackett-Luce model of Weng and Lin: any number of sides, of
any number of players, in any order, with ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

RATING_MODEL: Final = PlackettLuce()
# for players who neither learn nor forget, such as bots
CONSTANT_SKILL_MODEL: Final = PlackettLuce(tau=0.0)
ORDINAL_SIGMAS: Final = 3.0  # sigmas subtracted: hardly any player is worse than the result


class Skill(NamedTuple):
    """The estimated skill of a player: most likely `mu`, give or take `sigma`."""

    mu: float = RATING_MODEL.mu
    sigma: float = RATING_MODEL.sigma

    @property
    def ordinal(self) -> float:
        """A lower bound of the skill, by which leaderboards are ordered; 0 for a new player."""
        return self.mu - ORDINAL_SIGMAS * self.sigma


def rate_sides(
    sides: Sequence[Sequence[Skill]], ranks: Sequence[int], model: PlackettLuce = RATING_MODEL
) -> list[list[Skill]]:
    """The skill of every player after a game; the lowest rank has won, equal ranks are tied."""
    teams = [[model.rating(*skill) for skill in side] for side in sides]
    rated_teams = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Skill(rating.mu, rating.sigma) for rating in team] for team in rated_teams]
