"""The engine of a small game: every part of the interface has a default that follows from the
fields of the state, and each can be overridden by one method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from tabularium_engines.base import About, Engine, IllegalAction, Result, Rng
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.foresight import Foresight, with_gist
from tabularium_engines.common.shapes_svg import Shape
from tabularium_engines.kit import picture_svg, plain_text, view
from tabularium_engines.kit.fields import PUBLIC
from tabularium_engines.kit.small_state import ACTION_NEWS, SmallState

S = TypeVar("S", bound=SmallState)


@dataclass(frozen=True)
class Action:
    """The seat acts."""

    kind: ClassVar = ACTION_NEWS
    action: Any  #: the action


@dataclass(frozen=True)
class NoOptions:
    """The game has no variants."""


class SmallEngine(Engine[S, Any], Generic[S]):
    """The rules of a small game, whose state is a `SmallState`."""

    state_type: ClassVar[Any]
    piece_names: ClassVar[tuple[str, ...]] = ("·", "●", "○")  # of the numbers on a board

    def start(self, options: Any, seats: int, rng: Rng) -> S:
        state: S = self.state_type()
        state.record_news()
        state.seats, state.options = seats, options
        state.set_up(rng)
        return state

    def refusal(self, state: S, seat: int, action: Any) -> IllegalAction:
        sentence = f"This is not possible now: {self.describe(action).lower()}."
        return IllegalAction("not-possible", sentence)

    def describe(self, action: Any) -> str:
        """An action in words: its `label`, filled with its fields, or its kind."""
        template = getattr(type(action), "label", type(action).kind.replace("_", " ").capitalize())
        return str(template).format(**vars(action))

    def label(self, state: S, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: S, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        return with_gist(self.describe(self.decode(state, seat, action)), consequences)

    def consequences(self, state: S, seat: int, action: int) -> Consequences | None:
        """Where all is public, whatever follows without a draw; a game with hidden cards overrides
        this."""
        if any(field.visibility != PUBLIC for field in state.fields):
            return None
        foresight = Foresight(self, state, seat, action, {ACTION_NEWS: None})
        if foresight.has_drawn:
            return None
        return foresight.consequences("points", player_name)

    def news(self, state: S, seat: int | None) -> list[dict[str, Any]]:
        items = super().news(state, seat)
        for item in items:
            if item["kind"] == ACTION_NEWS:
                item["action"] = self.action_codec.json_from_int(item["action"])
        return items

    def sentence(self, item: Mapping[str, Any]) -> str:
        action = self.action_codec.from_int(item["action"])
        return f"{player_name(item['seat'])}: {self.describe(action)}."

    def view(self, state: S, seat: int | None) -> Any:
        return view.view_of(self.about.view, state, seat)

    def imagine(self, seen: Any, /, rng: Rng) -> S:
        state: S = view.imagine_state(self.state_type, seen, rng)
        return state

    def result(self, state: S) -> Result | None:
        if state.to_act:
            return None
        returns = state.returns()
        winners = tuple(seat for seat, share in enumerate(returns) if share == max(returns))
        return Result(winners, tuple(map(int, state.scores())), self.reason(state))

    def reason(self, state: S) -> str:
        """Why the game is over, in a sentence."""
        return "The game is over."

    def text(self, view: Any) -> str:
        return plain_text.page(self.about.title, view, self.state_type.fields, self.piece_names)

    def svg(self, view: Any) -> str:
        return self._picture(view, "wide")

    def svg_in_shape(self, view: Any, shape: Shape) -> str:
        """The view as a picture of that shape."""
        return self._picture(view, shape)

    def _picture(self, view: Any, shape: Shape) -> str:
        about, fields, text = self.about, self.state_type.fields, self.text(view)
        return picture_svg.draw(about.title, view, fields, self.piece_names, text, shape)


def about_game(
    state_type: type[SmallState], card_names: tuple[str, ...] = (), **members: Any
) -> About:
    """The metadata of a small game; its view is made from the fields of its state. `card_names`
    are the names of the cards by number. Its actions are its news, unless it has others, too."""
    options = members.pop("options", NoOptions)
    members["news"] = (Action, *members.get("news", ()))
    made_view = view.make_view(state_type, options, card_names)
    return About(options=options, view=made_view, **members)
