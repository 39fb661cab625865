"""Promises 1 to 5: legal actions, their encoding, refusals, and termination."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from games.engines.base import Engine, IllegalAction, State
from games.engines.common.rng import FastRng
from tests.engines.playing import Position, play
from tests.engines.strangers import malformed, sampled

SENTENCE = re.compile(r"\S.*[.!?]|.+: .+", re.DOTALL)

Rules = Engine[Any, Any]


def promise_1(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Until the end every awaited seat has a legal action; only the end has a result."""
    for position in play(engine, options, seats, seed).positions:
        state = position.state
        awaited = engine.awaited_seats(state)
        assert int(state.to_act) == sum(1 << seat for seat in awaited), (
            f"{position}: whom to await?"
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
    assert all(0 <= worth <= 1 for worth in state.returns()), f"returns {state.returns()}"
    assert not any(state.legal_actions(seat) for seat in range(seats)), "it is over, yet goes on"


# -- 2: encoding ----------------------------------------------------------------------------------


def promise_2(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Legal actions are distinct, stable in order, survive JSON and satisfy the schema."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in range(seats):
            legal = [int(action) for action in position.state.legal_actions(seat)]
            told = f"{position}, seat {seat}"
            assert legal == position.state.legal_actions(seat), f"{told}: another order"
            assert len(set(legal)) == len(legal), f"{told}: {legal} are not distinct"
            for action in legal:
                goes_through_json(engine, position.state, seat, action, told)
            are_labelled(engine, position.state, seat, told)


def goes_through_json(engine: Rules, state: State, seat: int, action: int, told: str) -> None:
    """int → dataclass → JSON → int, and the JSON is as published."""
    decoded = engine.decode(state, seat, action)
    assert type(decoded) in engine.about.actions, f"{told}: {decoded} is no known kind"
    document = json.loads(json.dumps(engine.action_codec.to_json(decoded)))
    assert validator(engine).is_valid(document), f"{told}: {document} is not as the schema says"
    for form in (document, decoded):
        encoded = engine.encode(state, seat, form)
        assert encoded == action, f"{told}: {action:#x} came back as {encoded:#x} from {form}"


@cache
def validator(engine: Rules) -> Draft202012Validator:
    """A validator of the published schema of a game's actions."""
    return Draft202012Validator(engine.action_codec.schema())


def are_labelled(engine: Rules, state: State, seat: int, told: str) -> None:
    """Every legal action has a label of its own."""
    labels = [engine.label(state, seat, action) for action in state.legal_actions(seat)]
    assert all(label.strip() for label in labels), f"{told}: an empty label in {labels}"
    assert len(set(labels)) == len(labels), f"{told}: {labels} are not distinct"


# -- 3: legal actions work ------------------------------------------------------------------------


def promise_3(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """`apply` never raises when the action is legal: here every legal one is tried."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in range(seats):
            for action in position.state.legal_actions(seat):
                following = position.state.clone()
                try:
                    following.apply(seat, action, FastRng(seed + position.seq))
                except Exception as problem:
                    told = f"{position}, seat {seat}: legal action {int(action):#x}"
                    raise AssertionError(f"{told} raised {problem!r}") from problem


# -- 4: all other actions are refused -------------------------------------------------------------


def promise_4(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """An illegal action raises IllegalAction with a code and a sentence, and changes nothing."""
    for position in play(engine, options, seats, seed).sample(sample):
        state = position.state
        before = [state.contents(), list(state.news)]
        document = some_document(engine, state)
        for seat in range(seats):
            legal = {int(action) for action in state.legal_actions(seat)}
            for action in illegal(engine, legal, seed + position.seq, sample):
                refuses(engine, position, seat, action)
        for spoilt in malformed(document):
            refuses(engine, position, position.seq % seats, spoilt)
        for stranger in (-1, seats, 10**30):
            refuses(engine, position, stranger, document)
        assert [state.contents(), list(state.news)] == before, f"{position}: a refusal changed it"


def illegal(engine: Rules, legal: set[int], seed: int, number: int) -> list[Any]:
    """Some well-formed actions, of every kind, that are not legal now."""
    drawn = sampled(engine, number, seed)
    return [action for action in drawn if engine.action_codec.to_int(action) not in legal]


def some_document(engine: Rules, state: State) -> Any:
    """A legal action as JSON; at the end of the game a well-formed one."""
    for seat in range(state.seats):
        for action in state.legal_actions(seat):
            return engine.action_codec.to_json(engine.decode(state, seat, action))
    return engine.action_codec.to_json(sampled(engine, 0, 0)[0])


def refuses(engine: Rules, position: Position, seat: int, action: Any) -> None:
    """The action is refused with a code and a sentence."""
    told = f"{position}, seat {seat}: {action}"
    refusal: Any = None
    try:
        code = engine.encode(position.state, seat, action)
    except IllegalAction as illegal_action:
        refusal = illegal_action
    except Exception as problem:
        raise AssertionError(f"{told} raised {problem!r}") from problem
    assert refusal, f"{told} was taken for {code:#x}"
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.code), f"{told}: code {refusal.code!r}"
    assert SENTENCE.fullmatch(refusal.sentence), f"{told}: {refusal.sentence!r} is no sentence"


# -- 5: termination -------------------------------------------------------------------------------


def promise_5(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
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
