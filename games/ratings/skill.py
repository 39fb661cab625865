"""How well does somebody play, as far as results tell? OpenSkill answers, by the Plackett-Luce
model of Weng and Lin: any number of sides, of any number of players, in any order, with ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

RATING_MODEL: Final = PlackettLuce()
# of players who neither learn nor forget, such as bots
CONSTANT_SKILL_MODEL: Final = PlackettLuce(tau=0.0)
ORDINAL_SIGMAS: Final = 3.0  # how many sigmas are taken off: hardly anybody is worse than that


class Skill(NamedTuple):
    """What is believed of a player: most likely `mu`, give or take `sigma`."""

    mu: float = RATING_MODEL.mu
    sigma: float = RATING_MODEL.sigma

    @property
    def ordinal(self) -> float:
        """What the player is at least worth: by this one lists players. Whoever is new has 0."""
        return self.mu - ORDINAL_SIGMAS * self.sigma


def rate_sides(
    sides: Sequence[Sequence[Skill]], ranks: Sequence[int], model: PlackettLuce = RATING_MODEL
) -> list[list[Skill]]:
    """What is believed of everybody after a game; the lowest rank has won, equal ones are tied."""
    teams = [[model.rating(*skill) for skill in side] for side in sides]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Skill(rating.mu, rating.sigma) for rating in team] for team in after]
