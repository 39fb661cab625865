"""How does a bot decide with the help of several workers? It lets its decision be analysed, and
acts on the sum of what they have found by the time that it has."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError
from django.utils import timezone

from ai import answering, clocks, registry
from ai.analysis import reducing, sending
from ai.analysis.reducing import Summed
from ai.analysis.searching import (
    SEED_BITS,
    Found,
    engine_of,
    imagined,
    look,
    part_seed,
)
from ai.bots import Answer, Budget, Tried
from ai.models import Analysis, Thought
from games import selectors, services
from games.engines.common.codec import Json
from games.selectors import Decision, Turn
from games.table.table import Refused

logger = logging.getLogger(__name__)
GRACE: Final = 1.5  # seconds beyond its thinking after which a bot has acted, whoever died
ROUND: Final = 1.0  # of the sweeper: as long before that, what is there has to do


def begin(game: str, seat: int, turn: Turn, budget: Budget) -> None:
    """Let workers think about a bot's decision, unless they do already."""
    now = timezone.now()
    seconds = budget.seconds or sending.LONGEST
    analysis = Analysis(
        question=turn.token,
        game_id=game,
        seq=turn.seq,
        seat=seat,
        simulations=budget.simulations,
        digest=registry.digest(turn.rules),
        created=now,
        deadline=_deadline(now, seconds),
        due=now + sending.QUIET,
        bot=turn.bot,
        choice=turn.token,
        seconds=seconds,
        seed=secrets.randbits(SEED_BITS),
    )
    try:
        sending.begin(analysis, budget.parts * [(turn.seq, seat, budget.simulations)])
    except IntegrityError:
        logger.debug("Seat %s of %s is being thought about", seat, game)


def _deadline(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=seconds + GRACE - ROUND)


def goes_on(analysis: Analysis) -> bool:
    """Nothing has been found yet: is the decision still to be made, and is there time? Then wait
    once more as long."""
    turn = _turn(analysis)
    if turn is None:
        return False
    later = _deadline(timezone.now(), analysis.seconds)
    last = timedelta(seconds=ROUND + clocks.answering.margin)
    if turn.expiry is not None and later + last > turn.expiry:
        return False
    Analysis.objects.filter(pk=analysis.pk).update(deadline=later)
    return True


def act_at_once(analysis: Analysis) -> None:
    """Nothing has been found, and there is no time to wait: decide without a search."""
    turn = _turn(analysis)
    if turn is not None:
        assert analysis.seat is not None
        answering.decided(analysis.game_id, analysis.seat, turn, None)


def _turn(analysis: Analysis) -> Turn | None:
    """The decision that the analysis is for, if it is still to be made."""
    assert analysis.seat is not None
    turn = selectors.bot_turn(analysis.game_id, analysis.seat)
    return turn if turn is not None and turn.token == analysis.choice else None


def act(analysis: Analysis, found: Mapping[int, Found]) -> None:
    """Do what was tried most often, if the bot still has the choice."""
    game, seat, seq = analysis.game_id, analysis.seat, analysis.seq
    bot, choice = analysis.bot, analysis.choice
    assert seat is not None
    assert seq is not None
    assert analysis.seed is not None
    decision = selectors.game_decision(game, seat, seq)
    action = _action(decision, reducing.summed(found.values())[0])
    note = Thought(
        game_id=game,
        known=seq,
        seat=seat,
        bot=bot,
        digest=analysis.digest,
        seed=analysis.seed,
        simulations=reducing.simulations(found.values()),
        parts=" ".join(str(found[n].simulations if n in found else 0) for n in _all(found)),
    )
    try:
        services.action_append(game, seat, action, bot=bot, choice=choice, note=note)
    except Refused as refused:  # the seat has another choice by now, or another player
        logger.debug("Too late for seat %s of %s: %s", seat, game, refused)


def _all(found: Mapping[int, Found]) -> range:
    return range(max(found) + 1)


def _action(decision: Decision, best: Summed) -> Json:
    state = imagined(decision, 0)
    return engine_of(decision).document(state, decision.seat, best.code)


def again(thought: Thought, decision: Decision) -> Answer:
    """What the same parts find once more, and what the bot makes of it."""
    parts = [int(simulations) for simulations in thought.parts.split()]
    findings = [
        look(decision, part_seed(thought.seed, spread), Budget(simulations=simulations))
        for spread, simulations in enumerate(parts)
        if simulations
    ]
    engine, state = engine_of(decision), imagined(decision, 0)
    tried = [
        Tried(engine.decode(state, decision.seat, one.code), one.visits, one.mean)
        for one in reducing.summed(findings)
    ]
    return Answer(tried[0].action, thought.simulations, tuple(tried))
