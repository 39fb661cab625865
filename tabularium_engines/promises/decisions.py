"""Promises 1 to 5: legal actions, their encoding, refusals, and termination."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from tabularium_engines.base import AnyEngine, IllegalAction, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.promises.action_inputs import (
    malformed_documents,
    optional_members,
    sample_actions,
)
from tabularium_engines.promises.random_games import Position, play

SENTENCE = re.compile(r"\S.*[.!?]|.+: .+", re.DOTALL)


def promise_1(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Until the end every awaited seat has a legal action; only the end has a result."""
    for position in play(engine, options, seats, seed).positions:
        state = position.state
        awaited = engine.awaited_seats(state)
        assert int(state.to_act) == sum(1 << seat for seat in awaited), (
            f"{position}: to_act and awaited_seats differ"
        )
        for seat in awaited:
            assert state.legal_actions(seat), f"{position}: awaited seat {seat} can do nothing"
        if awaited:
            assert engine.result(state) is None, f"{position}: a result before the end"
            assert state.returns() == [0.0] * seats, f"{position}: returns before the end"
    result = engine.result(state)
    assert result is not None, "no result at the end"
    assert set(result.winners) <= set(range(seats)), f"{result.winners} have won"
    assert len(result.scores) == seats, f"{result.scores} are no scores of {seats}"
    assert all(0 <= value <= 1 for value in state.returns()), f"returns {state.returns()}"
    assert not any(state.legal_actions(seat) for seat in range(seats)), "it is over, yet goes on"


# -- 2: encoding ----------------------------------------------------------------------------------


def promise_2(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Legal actions are distinct, stable in order, survive JSON and satisfy the schema; only
    reacting seats have some without being awaited."""
    for position in play(engine, options, seats, seed).sample(sample):
        reacting_seats, awaited_seats = (
            engine.reacting_seats(position.state),
            engine.awaited_seats(position.state),
        )
        for seat in range(seats):
            legal_actions = [int(action) for action in position.state.legal_actions(seat)]
            context = f"{position}, seat {seat}"
            assert legal_actions == position.state.legal_actions(seat), f"{context}: another order"
            assert len(set(legal_actions)) == len(legal_actions), (
                f"{context}: {legal_actions} are not distinct"
            )
            if seat in awaited_seats:
                assert seat not in reacting_seats, f"{context}: both awaited and reacting"
            elif legal_actions:
                assert seat in reacting_seats, f"{context}: no reacting seat, yet it may act"
            for action in legal_actions:
                check_json_round_trip(engine, position.state, seat, action, context)
            check_labels(engine, position.state, seat, context)


def check_json_round_trip(
    engine: AnyEngine, state: State, seat: int, action: int, context: str
) -> None:
    """int → dataclass → JSON → int, and the JSON is as published, also without optional members."""
    decoded = engine.decode(state, seat, action)
    assert type(decoded) in engine.about.actions, f"{context}: {decoded} is no known kind"
    document = json.loads(json.dumps(engine.action_codec.to_json(decoded)))
    defaults = optional_members(engine, document)
    short = {n: document[n] for n in document if n not in defaults or document[n] != defaults[n]}
    for form in (document, short):
        assert validator(engine).is_valid(form), f"{context}: {form} is not as the schema says"
    for form in (document, short, decoded):
        encoded = engine.encode(state, seat, form)
        assert encoded == action, f"{context}: {action:#x} came back as {encoded:#x} from {form}"


@cache
def validator(engine: AnyEngine) -> Draft202012Validator:
    """A validator of the published schema of a game's actions."""
    return Draft202012Validator(engine.action_codec.schema())


def check_labels(engine: AnyEngine, state: State, seat: int, context: str) -> None:
    """Every legal action has a label of its own."""
    labels = [engine.label(state, seat, action) for action in state.legal_actions(seat)]
    assert all(label.strip() for label in labels), f"{context}: an empty label in {labels}"
    assert len(set(labels)) == len(labels), f"{context}: {labels} are not distinct"


# -- 3: legal actions work ------------------------------------------------------------------------


def promise_3(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """`apply` never raises when the action is legal: here every legal one is tried."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in range(seats):
            for action in position.state.legal_actions(seat):
                successor = position.state.clone()
                try:
                    successor.apply(seat, action, FastRng(seed + position.seq))
                except Exception as error:
                    context = f"{position}, seat {seat}: legal action {int(action):#x}"
                    raise AssertionError(f"{context} raised {error!r}") from error


# -- 4: all other actions are refused -------------------------------------------------------------


def promise_4(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """An illegal action raises IllegalAction with a code and a sentence, and changes nothing."""
    for position in play(engine, options, seats, seed).sample(sample):
        state = position.state
        contents_before = [state.contents(), list(state.news)]
        document = sample_document(engine, state)
        for seat in range(seats):
            legal_actions = {int(action) for action in state.legal_actions(seat)}
            for action in illegal_actions(engine, legal_actions, seed + position.seq, sample):
                check_refusal(engine, position, seat, action)
        for malformed_document in malformed_documents(document, optional_members(engine, document)):
            check_refusal(engine, position, position.seq % seats, malformed_document)
        for unknown_seat in (-1, seats, 10**30):
            check_refusal(engine, position, unknown_seat, document)
        assert [state.contents(), list(state.news)] == contents_before, (
            f"{position}: a refusal changed it"
        )


def illegal_actions(engine: AnyEngine, legal_actions: set[int], seed: int, count: int) -> list[Any]:
    """Some well-formed actions, of every kind, that are not legal now."""
    actions = sample_actions(engine, count, seed)
    return [action for action in actions if engine.action_codec.to_int(action) not in legal_actions]


def sample_document(engine: AnyEngine, state: State) -> Any:
    """A legal action as JSON; at the end of the game a well-formed one."""
    for seat in range(state.seats):
        for action in state.legal_actions(seat):
            return engine.action_codec.to_json(engine.decode(state, seat, action))
    return engine.action_codec.to_json(sample_actions(engine, 0, 0)[0])


def check_refusal(engine: AnyEngine, position: Position, seat: int, action: Any) -> None:
    """The action is refused with a code and a sentence."""
    context = f"{position}, seat {seat}: {action}"
    refusal: Any = None
    try:
        code = engine.encode(position.state, seat, action)
    except IllegalAction as illegal_action:
        refusal = illegal_action
    except Exception as error:
        raise AssertionError(f"{context} raised {error!r}") from error
    assert refusal, f"{context} was taken for {code:#x}"
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.code), f"{context}: code {refusal.code!r}"
    assert SENTENCE.fullmatch(refusal.sentence), f"{context}: {refusal.sentence!r} is no sentence"


# -- 5: termination -------------------------------------------------------------------------------


def promise_5(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Random play ends within the game's bound, and `random_action` plays no other actions."""
    decisions = len(play(engine, options, seats, seed).positions) - 1
    assert decisions <= engine.about.max_actions, f"it took {decisions} decisions"
    rng = FastRng(seed)
    state = engine.start(options, seats, rng)
    for _ in range(engine.about.max_actions + 1):
        awaited = engine.awaited_seats(state)
        if not awaited:
            return
        seat = awaited[rng.below(len(awaited))]
        action = state.random_action(seat, rng)
        assert action in state.legal_actions(seat), f"random_action gave {int(action):#x}"
        state.apply(seat, action, rng)
    raise AssertionError(f"still going on after {engine.about.max_actions} decisions")
