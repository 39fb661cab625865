"""The games as OpenSpiel games in Python: every draw of the rules is a chance node, and a player
observes the tensor of its seat's view."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, TypeAlias

import numpy as np
import pyspiel

from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.adapters.observation import Observer
from tabularium_engines.adapters.turn_order import MAY_INTERRUPT, Decision, TurnOrder, number_count
from tabularium_engines.base import AnyEngine, Rng, State
from tabularium_engines.installed.registry import RULESETS

MAX_CHANCE_OUTCOMES: Final = 256  # no deck has more cards
MAX_GAME_LENGTH: Final = (1 << 31) - 1  # of OpenSpiel's integers
SEATS_PARAMETER: Final = "players"
NO_VALUE: Final = -1  # in place of None
Draws: TypeAlias = tuple[int, ...]
REGISTERED: Final[dict[str, AnyEngine]] = {}  # by the name of the game in OpenSpiel


class DrawWanted(Exception):
    """The rules want a draw that has not been made."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a draw below {limit}")
        self.limit = limit


class GivenDraws(Rng):
    """The draws made so far; raises DrawWanted for the next. A draw with one outcome is none."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._position = 0

    def below(self, limit: int) -> int:
        if limit == 1:
            return 0
        if self._position == len(self._draws):
            raise DrawWanted(int(limit))
        self._position += 1
        return self._draws[self._position - 1]


class Progress:
    """A game as OpenSpiel sees it: either a seat is asked, or a draw is wanted before the deal or
    an action takes effect. The draws of an action are made one after the other, so its rules run
    again after each of them."""

    def __init__(self, engine: AnyEngine, options: Any, seats: int) -> None:
        self.engine = engine
        self.options = options
        self.seats = seats
        self.turn_order: TurnOrder | None = None  # None: before the deal
        self._decision: Decision | None = None
        self._draws: Draws = ()
        self.draw_limit = 0  # of the draw that is wanted; 0: none
        self.history: list[int] = []  # draws and action numbers
        self._go_on()

    def __reduce__(self) -> tuple[Any, ...]:
        """OpenSpiel pickles the parts of a state; compiled states are played again instead."""
        return replayed, (game_name(self.engine), self.options, self.seats, self.history)

    def __deepcopy__(self, memo: dict[int, Any]) -> Progress:
        copied: Progress = object.__new__(Progress)
        copied.__dict__.update(vars(self))
        copied.history = list(self.history)
        if self.turn_order is not None:
            copied.turn_order = self.turn_order.copy()
        return copied

    def take(self, number: int) -> None:
        """Make the draw that is wanted, or take an action number of the seat that is asked."""
        if self.draw_limit:
            self._draws = (*self._draws, number)
            self._go_on()
        elif self.turn_order is not None:
            self._decision = self.turn_order.choose(number)
            if self._decision is not None:
                self._go_on()
        self.history.append(number)

    def _go_on(self) -> None:
        """Run the deal or the action with the draws made so far."""
        try:
            state = self._next_state(GivenDraws(self._draws))
        except DrawWanted as wanted:
            self.draw_limit = wanted.limit
            return
        self.turn_order = TurnOrder(self.engine, state)
        self._decision, self._draws, self.draw_limit = None, (), 0

    def _next_state(self, rng: Rng) -> State:
        if self.turn_order is None or self._decision is None:
            dealt: State = self.engine.start(self.options, self.seats, rng)
            return dealt.clone()
        state = self.turn_order.state.clone()
        state.apply(self._decision.seat, self._decision.action, rng)
        return state


def replayed(name: str, options: Any, seats: int, history: list[int]) -> Progress:
    """The game of a registered engine after these draws and action numbers."""
    progress = Progress(REGISTERED[name], options, seats)
    for number in history:
        progress.take(number)
    return progress


def game_class(engine: AnyEngine) -> type[Any]:
    """The OpenSpiel game of an engine. Its parameters are `players` and the options of the game;
    NO_VALUE stands for an option without a value."""
    about = engine.about
    defaults = {field.name: _parameter(field.default) for field in fields(about.options)}
    game_type = _game_type(engine, {SEATS_PARAMETER: about.seats[0], **defaults})

    class TabulariumGame(pyspiel.Game):
        """A game of Tabularium."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            chosen = {SEATS_PARAMETER: about.seats[0], **defaults, **(params or {})}
            self.seats = int(chosen.pop(SEATS_PARAMETER))
            given = {name: None if chosen[name] == NO_VALUE else chosen[name] for name in chosen}
            self.options = engine.read_options(given, self.seats)
            super().__init__(game_type, _game_info(engine, self.seats), params or {})

        def new_initial_state(self) -> Any:
            """The game before the deal."""
            return TabulariumState(self, Progress(engine, self.options, self.seats))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """An observer, which makes tensors and texts of views."""
            return TabulariumObserver(engine)

    return TabulariumGame


def _parameter(default: Any) -> Any:
    """The default of an option as OpenSpiel takes it: it has no parameter without a value."""
    return NO_VALUE if default is None else default


def _game_type(engine: AnyEngine, parameters: dict[str, Any]) -> Any:
    about = engine.about
    return pyspiel.GameType(
        short_name=game_name(engine),
        long_name=about.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=about.seats[1],
        min_num_players=about.seats[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def _game_info(engine: AnyEngine, seats: int) -> Any:
    questions = seats if engine.about.slug in MAY_INTERRUPT else 1
    words = action_space(engine).max_words
    return pyspiel.GameInfo(
        num_distinct_actions=number_count(engine),
        max_chance_outcomes=MAX_CHANCE_OUTCOMES,
        num_players=seats,
        min_utility=0.0,
        max_utility=1.0,
        utility_sum=None,
        max_game_length=min(engine.about.max_actions * questions * words, MAX_GAME_LENGTH),
    )


class TabulariumState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: Any, progress: Progress) -> None:
        super().__init__(game)
        self.progress = progress

    def current_player(self) -> int:
        """The seat that is asked, or chance, or the end."""
        if self.progress.draw_limit:
            return int(pyspiel.PlayerId.CHANCE)
        order = self.progress.turn_order
        is_over = order is None or order.state.to_act == 0
        return int(pyspiel.PlayerId.TERMINAL) if order is None or is_over else order.seat

    def _legal_actions(self, player: int) -> list[int]:
        order = self.progress.turn_order
        return [] if order is None or player != order.seat else order.legal_numbers()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw, which are equally likely."""
        limit = self.progress.draw_limit
        return [(outcome, 1 / limit) for outcome in range(limit)]

    def _apply_action(self, action: int) -> None:
        self.progress.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        order = self.progress.turn_order
        if order is None or action == order.space.size:
            return "wait"
        return order.space.meaning_of(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """The payoff of each seat, 0 to 1; all 0 before the end."""
        order = self.progress.turn_order
        if order is None or not self.is_terminal():
            return [0.0] * self.progress.seats
        return order.state.returns()

    def __str__(self) -> str:
        """The table as an onlooker sees it."""
        order, engine = self.progress.turn_order, self.progress.engine
        if order is None:
            return "before the deal"
        return engine.text(engine.view(order.state, None))


class TabulariumObserver:
    """OpenSpiel's observer: the tensor and the text of a player's view; zeros before the deal."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self._observer = Observer(engine)
        self.tensor = np.zeros(self._observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TabulariumState, player: int) -> None:
        """Fill the tensor with a player's view."""
        order = state.progress.turn_order
        self.tensor.fill(0)
        if order is None:
            return
        words = order.words if player == order.seat else ()
        view = self._engine.view(order.state, player)
        self._observer.fill(self.tensor, view, words)

    def string_from(self, state: TabulariumState, player: int) -> str:
        """A player's view as text, and the words of the action that it has begun."""
        order = state.progress.turn_order
        if order is None:
            return "before the deal"
        text = self._engine.text(self._engine.view(order.state, player))
        begun = [order.space.meaning_of(word) for word in order.words]
        return "\n".join([text, *begun]) if player == order.seat else text


def game_name(engine: AnyEngine) -> str:
    """The name under which OpenSpiel loads a game."""
    return f"python_tabularium_{engine.about.slug}_v{engine.about.version}"


def register(engine: AnyEngine) -> str:
    """Make a game known to `pyspiel.load_game`; its name there. Once per process and game."""
    name = game_name(engine)
    if name not in REGISTERED:
        REGISTERED[name] = engine
        made = game_class(engine)
        pyspiel.register_game(made().get_type(), made)
    return name


def register_all() -> list[str]:
    """Make all installed games known to `pyspiel.load_game`; their names there."""
    return [register(engine) for engine in RULESETS.values()]
