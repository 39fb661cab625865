"""Speed comparisons: all contestants are kept alive and run in turn, a slice of CPU time each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from bench.compiled_tree import Worker
from bench.search_positions import MEASURED_GAMES, OPENSPIEL_REFERENCE_RATE, MeasuredGame
from tabularium_engines.installed.registry import ENGINES

TEAMS: Final = {  # by process name: its module, and the engine mode
    "compiled": ("tabularium_contestant", "compiled"),
    "interpreted": ("tabularium_contestant", "interpreted"),
    "openspiel": ("openspiel_contestant", "interpreted"),
    "library": ("library_contestant", "compiled"),
}
TAG_FRAMEWORK: Final = "tag"
# measured on both machines, to scale TAG's rates to this one
REFERENCE_CONTESTANT: Final = "openspiel.mcts"
MIN_EUCHRE_RATIO: Final = 0.4
Rates = Mapping[str, Sequence[float]]  # by contestant, one rate per repetition


@dataclass(frozen=True)
class Contest:
    """One figure: our rate against the fastest of its peers. A contestant is `process.round`."""

    name: str
    unit: str
    ours: str
    peers: tuple[str, ...]
    target: float | None = None


@dataclass(frozen=True)
class Row:
    """The result of a contest or of another measurement."""

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    ratio: float | None = None
    target: float | None = None
    met: bool | None = None
    is_limit: bool = False  # the target is an upper limit of the value, not a ratio
    repetitions: int = 1
    values: Sequence[float] = ()
    peer_values: Sequence[float] = ()


def all_contests() -> list[Contest]:
    """All speed comparisons, with our targets."""
    games, searches = "compiled.connect_four_playouts", "compiled.connect_four_mcts"
    cpp = ("openspiel.evaluator_playouts", "openspiel.bot_playouts")
    title, per_second = "Connect Four", "simulations/s"
    return [
        Contest(f"{title} random games", "games/s", games, cpp, 10),
        Contest(f"{title} random games", "games/s", games, ("openspiel.loop_playouts",)),
        contest_with_interpreted(f"{title} random decisions", "decisions/s", "connect_four_steps"),
        Contest(f"{title} MCTS", per_second, searches, (REFERENCE_CONTESTANT,), 4),
        Contest(f"{title} MCTS", per_second, searches, ("openspiel.python_mcts",), 60),
        contest_with_interpreted(f"{title} MCTS", per_second, "connect_four_mcts"),
        *(
            contest
            for slug, table in MEASURED_GAMES.items()
            for contest in game_contests(slug, table)
        ),
        *(contest for slug in MEASURED_GAMES for contest in environment_contests(slug)),
    ]


def environment_contests(slug: str) -> list[Contest]:
    """One of our games as a PettingZoo environment, against PettingZoo's Texas hold'em and against
    its engine."""
    title, ours = f"{ENGINES[slug].about.title}, PettingZoo", f"library.{slug}_env"
    return [
        Contest(title, "steps/s", ours, ("library.texas_holdem",)),
        Contest(title, "steps/s", ours, (f"library.{slug}_engine",)),
    ]


def game_contests(slug: str, table: MeasuredGame) -> list[Contest]:
    """One of our games, compiled, against its own source interpreted and against similar games."""
    title, target = ENGINES[slug].about.title, table.target
    peer = f"openspiel.{table.card_game}_ismcts"
    min_ratio = MIN_EUCHRE_RATIO if table.card_game == "euchre" else None
    return [
        contest_with_interpreted(f"{title} random games", "games/s", f"{slug}_playouts", target),
        contest_with_interpreted(
            f"{title} random decisions", "decisions/s", f"{slug}_steps", target
        ),
        contest_with_interpreted(f"{title} ISMCTS", "simulations/s", f"{slug}_ismcts", target),
        Contest(f"{title} ISMCTS", "simulations/s", f"compiled.{slug}_ismcts", (peer,), min_ratio),
        Contest(
            f"{title}, mcts", "simulations/s", f"compiled.{slug}_mcts", (tag_contestant(table),), 3
        ),
    ]


def tag_contestant(table: MeasuredGame) -> str:
    """The TAG contestant, which does not run here: its rate was measured elsewhere."""
    return f"{TAG_FRAMEWORK}.{table.framework_game}"


def contest_with_interpreted(
    name: str, unit: str, task: str, target: float | None = None
) -> Contest:
    """The compiled code against the same code interpreted."""
    return Contest(name, unit, f"compiled.{task}", (f"interpreted.{task}",), target)


def measure_rates(
    workers: Mapping[str, Worker], contestants: Iterable[str], repetitions: int, seconds: float
) -> dict[str, list[float]]:
    """The rates of the contestants, a slice each in every repetition. A contestant that does
    not run here keeps its measured ratio to the reference contestant."""
    rates: dict[str, list[float]] = {contestant: [] for contestant in contestants}
    known_ratios = {
        tag_contestant(table): table.framework_rate / OPENSPIEL_REFERENCE_RATE
        for table in MEASURED_GAMES.values()
    }
    for _ in range(repetitions):
        for contestant, contestant_rates in rates.items():
            process, _, task = contestant.partition(".")
            if process == TAG_FRAMEWORK:
                contestant_rates.append(known_ratios[contestant] * rates[REFERENCE_CONTESTANT][-1])
                continue
            units, elapsed = workers[process].ask(task, seconds)
            contestant_rates.append(units / elapsed)
    return rates


def contestant_names(contests: Iterable[Contest]) -> list[str]:
    """All contestants, once each; the reference first, if some contestants do not run here."""
    names = dict.fromkeys(name for contest in contests for name in (contest.ours, *contest.peers))
    has_absent = any(name.startswith(f"{TAG_FRAMEWORK}.") for name in names)
    return list(dict.fromkeys([REFERENCE_CONTESTANT, *names])) if has_absent else list(names)


def judge_contest(contest: Contest, rates: Rates) -> Row:
    """Medians of the rates, and the median of the ratios within each repetition."""
    peer = max(contest.peers, key=lambda contestant: median(rates[contestant]))
    ours, theirs = rates[contest.ours], rates[peer]
    ratio = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return Row(
        name=contest.name,
        value=median(ours),
        unit=contest.unit,
        peer=peer,
        peer_value=median(theirs),
        ratio=ratio,
        target=contest.target,
        met=None if contest.target is None else ratio >= contest.target,
        repetitions=len(ours),
        values=tuple(ours),
        peer_values=tuple(theirs),
    )
