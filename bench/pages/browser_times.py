"""The times that people wait for the pages in a browser, beside those of a static page. The pages
take them with their own clocks, so that the driver's detours do not count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bench.first_start import Client
from bench.pages import players, static_site
from tabularium_engines.installed.registry import ENGINES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState

FOLDER: Final = Path(__file__).parent
TIMING, REPLAYING, VERIFYING = (
    (FOLDER / f"{name}.js").read_text("utf-8") for name in ("timing", "replaying", "verifying")
)
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
KEY: Final = "tabularium.key"  # where the pages keep it
PHONE: Final = {"width": 390, "height": 844}
SETTLE_MS: Final = 100  # until all windows are at rest
FIRST_OFFER: Final = ".offers button >> nth=0"
IS_AWAITED: Final = """() => {
  const { game, choice } = document.querySelector("tabularium-table").session;
  return game?.phase === "playing" && Boolean(choice?.is_awaited);
}"""
SMALLEST: Final = """() => {
  const { board } = document.querySelector("tabularium-table");
  const boxes = [...board.querySelectorAll(".live")].map((thing) => thing.getBoundingClientRect());
  return Math.min(...boxes.flatMap(({ width, height }) => [width, height]));
}"""


class Games(NamedTuple):
    """The games that are shown."""

    replayed: str
    ended: str
    long: str  # whose chain is read


Times = dict[str, list[float]]  # by measure
Both = tuple[Times, Times]  # of the pages, and of the static page


class Bench:
    """A browser, a server with games, and the static page."""

    def __init__(self, browser: Browser, url: str, static_url: str, games: Games) -> None:
        self.browser, self.url, self.static_url, self.games = browser, url, static_url, games

    @contextmanager
    def window(self, player: Client | None = None, **options: Any) -> Iterator[Page]:
        """A window of a person, with neither storage nor cache of others."""
        state: StorageState = {
            "cookies": [],
            "origins": [
                {
                    "origin": self.url,
                    "localStorage": [{"name": KEY, "value": player.key}] if player else [],
                }
            ],
        }
        context = self.browser.new_context(storage_state=state, **options)
        context.add_init_script(TIMING)
        try:
            yield context.new_page()
        finally:
            context.close()

    def table(self, page: Page, game: str) -> float:
        """Open a game's page; the milliseconds until its picture is painted."""
        page.goto(f"{self.url}/t/{game}")
        return float(page.evaluate("firstPicture"))

    # -- loading -----------------------------------------------------------------------------------

    def measure_loading(self) -> Both:
        """A first load without an account, and a second one."""
        ours: Times = {}
        with self.window() as page:
            ours["first"] = [self.table(page, self.games.replayed)]
            page.wait_for_timeout(SETTLE_MS)
            loaded = page.evaluate("loaded()")
            ours["assets"], ours["calls"] = [loaded["bytes"] / 1000], [loaded["calls"]]
            page.reload()
            ours["reload"] = [page.evaluate("firstPicture")]
        theirs: Times = {}
        with self.window() as page:
            page.goto(self.static_url)
            theirs["first"] = [page.evaluate("firstPicture")]
            page.reload()
            theirs["reload"] = [page.evaluate("firstPicture")]
        return ours, theirs

    # -- acting ------------------------------------------------------------------------------------

    def measure_clicks(self, count: int) -> Both:
        """Clicks on an action, as the person sees them who acts, and the other one."""
        ours: Times = {"answered": [], "clicked": [], "seen": []}
        people = [players.new_player(self.url) for _ in range(2)]
        with self.window(people[0]) as first, self.window(people[1]) as second:
            while len(ours["clicked"]) < count:
                game = players.open_table(people).game
                for page in (first, second):
                    self.table(page, game)
                for times in self._click_alternately(first, second):
                    for name, value in times.items():
                        ours[name].append(value)
                    if len(ours["clicked"]) == count:
                        break
        with self.window() as page:
            page.goto(self.static_url)
            page.evaluate("firstPicture")
            clicks = [_click(page, "button") for _ in range(count)]
        answered, clicked = ([times[name] for times in clicks] for name in ("answered", "shown"))
        return ours, {"answered": answered, "clicked": clicked, "seen": clicked}

    def _click_alternately(self, first: Page, second: Page) -> Iterator[Mapping[str, float]]:
        """Click until the game is over, in the window of the one who must act."""
        while True:
            first.wait_for_timeout(SETTLE_MS)
            awaited = [page for page in (first, second) if page.evaluate(IS_AWAITED)]
            if not awaited:
                return
            acting = awaited[0]
            looking = second if acting is first else first
            looking.evaluate("wait()")
            times = _click(acting, FIRST_OFFER)
            seen = looking.evaluate("picture") - times["clicked"]
            yield {"answered": times["answered"], "clicked": times["shown"], "seen": seen}

    # -- replaying ---------------------------------------------------------------------------------

    def measure_replay(self) -> Both:
        """The way through a game, before its pictures are kept and after."""
        ours: Times = {}
        with self.window() as page:
            self.table(page, self.games.replayed)
            page.evaluate(REPLAYING)
            ours["singly"] = [page.evaluate("replaying.singly()")]
            self.table(page, self.games.replayed)
            page.evaluate(REPLAYING)
            ours["cold"] = [page.evaluate("replaying.load()")]
            ours["swapped"] = [page.evaluate("replaying.swap(false)")]
            ours["painted"] = [page.evaluate("replaying.swap(true)")]
        theirs: Times = {}
        with self.window() as page:
            page.goto(self.static_url)
            page.evaluate("firstPicture")
            theirs["cold"] = [page.evaluate("loadReplay()")]
            theirs["singly"] = [page.evaluate("readSingly()")]
            theirs["swapped"] = [page.evaluate("swap(false)")]
            theirs["painted"] = [page.evaluate("swap(true)")]
        return ours, theirs

    # -- verifying ---------------------------------------------------------------------------------

    def measure_verification(self) -> Both:
        """A long chain, and a whole game."""
        ours: Times = {}
        with self.window() as page:
            page.goto(f"{self.url}/verify")
            page.evaluate(VERIFYING)
            read = page.evaluate("(game) => verifying.readChain(game)", self.games.long)
            ours["chain"] = [read["took"]]
            found = page.evaluate("(game) => verifying.verify(game)", self.games.ended)
            if not found["ok"]:
                raise RuntimeError(f"A true export is refused: {found}")
            ours["verified"] = [found["took"]]
        theirs: Times = {}
        with self.window() as page:
            page.goto(self.static_url)
            page.evaluate("firstPicture")
            theirs["chain"] = [page.evaluate("hashLines('long.ndjson')")]
            theirs["verified"] = [page.evaluate("hashLines('ended.ndjson')")]
        return ours, theirs

    # -- pointing ----------------------------------------------------------------------------------

    def measure_things(self) -> Both:
        """The smallest thing of all rulesets that can be pressed on a phone, in CSS pixels."""
        sizes: list[float] = []
        player = players.new_player(self.url)
        with self.window(player, viewport=PHONE, has_touch=True) as page:
            for slug in ENGINES:
                self.table(page, players.open_own_table(player, slug))
                page.locator(FIRST_OFFER).wait_for()
                sizes.append(page.evaluate(SMALLEST))
        return {"smallest": [size for size in sizes if size < float("inf")]}, {}


def _click(page: Page, selector: str) -> dict[str, float]:
    """Press a button, and wait for the times until its action is answered and shown."""
    page.evaluate("awaitClick()")
    page.locator(selector).click()
    times: dict[str, float] = page.evaluate("acted")
    return times


def measure(browser: Browser, url: str, games: Games, clicks: int) -> Both:
    """All measures, once."""
    ours: Times = {}
    theirs: Times = {}
    with static_site.serve(static_files(url, games)) as static_url:
        bench = Bench(browser, url, static_url, games)
        for mine, others in (
            bench.measure_loading(),
            bench.measure_clicks(clicks),
            bench.measure_replay(),
            bench.measure_verification(),
            bench.measure_things(),
        ):
            ours |= mine
            theirs |= others
    return ours, theirs


def static_files(url: str, games: Games) -> dict[str, bytes]:
    """The files of the static page: the same picture, replay and exports."""
    client = Client(f"{url}/api/v1")
    replayed = f"/games/{games.replayed}"
    return {
        "picture.svg": players.read(client, f"{replayed}/picture.svg?as=onlooker"),
        "replay.ndjson": players.read(client, f"{replayed}/pictures?as=onlooker&limit=200&after=0"),
        "ended.ndjson": players.read(client, f"/games/{games.ended}/export"),
        "long.ndjson": players.read(client, f"/games/{games.long}/export"),
    }
