"""The table in Chromium: whole games by keyboard and by list, replays, refusals, cuts and tabs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import pytest

from tabularium_client import ME, Client, types
from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.browser.playing import Person
from tests.clients.short_tables import SHORT_TABLES, ShortTable
from tests.config.processes import soon
from tests.support.databases import is_on_server
from tests.support.served import Mortal, Served

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
CASES: Final = [
    pytest.param(slug, marks=pytest.mark.lane("smoke")) if slug == "duality" else slug
    for slug in ENGINES
]
DICE: Final = "law_of_the_dice"
LONG_DICE: Final = ShortTable({"points_to_win": 10}, "random")
PICTURED: Final = 8  # decisions that are made in the picture; the others in the list
SHARE: Final = "Copy a link to this position"
LAST_ENTRY: Final = "document.querySelector('tabularium-table').session.entries.at(-1)"
RUN_TIME_ATTRIBUTES: Final = ("role", "aria-pressed", "aria-label", "tabindex", "class")


@pytest.fixture
def person(page: Page, served: Served) -> Person:
    """A person with a mouse, whose presses of buttons act at once."""
    return Person(page, served)


@pytest.mark.parametrize("slug", CASES)
class TestWholeGames:
    def test_by_keyboard(self, slug: str, person: Person, complaints: Complaints) -> None:
        complaints.expect("status of 409")  # others may act first
        game = person.sit_down(slug)
        decisions = 0
        while person.until_my_turn()["phase"] == "playing":
            person.act_by_keyboard(by_picture=decisions < PICTURED)
            decisions += 1
        person.page.get_by_text("The game is over.").wait_for()
        assert person.served.ask(f"/games/{game}")["phase"] == "over"

    def test_by_list_without_pictures(
        self, slug: str, person: Person, complaints: Complaints
    ) -> None:
        complaints.expect("picture.svg")
        complaints.expect("status of 409")  # others may act first
        person.page.route("**/picture.svg*", lambda route: route.abort())
        person.sit_down(slug)
        while person.until_my_turn()["phase"] == "playing":
            person.act_by_list()
        person.page.get_by_text("The game is over.").wait_for()

    def test_replayed_as_everyone(self, slug: str, person: Person) -> None:
        """The picture behind each position is that of `picture.svg`, and so is the page's copy but
        for the attributes that are listed."""
        table = SHORT_TABLES[slug]
        bots = [{"kind": "bot", "bot": "random"}] * len(table.seats)
        person.sit_down(slug, seats=bots)
        last = person.until(lambda state: state["phase"] == "over")["seq"]
        person.open(person.page.url.rpartition("/")[2])
        viewer = person.page.get_by_label("Seen by")
        for seen_by in viewer.locator("option").evaluate_all(
            "(all) => all.map((one) => one.value)"
        ):
            viewer.select_option(seen_by)
            for seq in sorted({last, last // 2 + 3}):
                check_position(person, seq, seen_by)


def check_position(person: Person, seq: int, viewer: str) -> None:
    """The position that the page shows is the one that the server draws."""
    shown = person.page.evaluate(
        """async (seq) => {
          const table = document.querySelector("tabularium-table");
          while (!table.log.list.children.length) // another viewer's log is being read
            await new Promise((resolve) => setTimeout(resolve, 20));
          await table.go(seq);
          const picture = table.board.querySelector("svg");
          const line = table.log.list.querySelector("[aria-current]");
          const { top, bottom } = line.getBoundingClientRect();
          const box = table.log.list.getBoundingClientRect();
          return {
            text: table.text,
            copy: new XMLSerializer().serializeToString(picture),
            line: Number(line.dataset.seq),
            isLineSeen: top < box.bottom && bottom > box.top,
          };
        }""",
        seq,
    )
    assert shown["line"] <= seq
    assert shown["isLineSeen"]
    game = person.page.url.partition("#")[0].rpartition("/")[2]
    address = f"{person.served.url}/api/v1/games/{game}/picture.svg"
    drawn = person.page.request.get(f"{address}?shape=wide&as={viewer}&seq={seq}").text()
    assert shown["text"] == drawn
    assert canonical(shown["copy"]) == canonical(drawn)
    assert person.page.url.endswith(f"#e{seq}&as={viewer}")


def canonical(svg: str) -> str:
    """A picture less the page's own attributes."""
    root = ET.fromstring(svg)
    for element in root.iter():
        for name in RUN_TIME_ATTRIBUTES:
            element.attrib.pop(name, None)
    return ET.canonicalize(ET.tostring(root, encoding="unicode"))


class TestReplay:
    def test_the_address_is_the_position(self, person: Person) -> None:
        game = person.sit_down(DICE, LONG_DICE)
        person.act_by_list()
        person.page.get_by_role("button", name="First entry").click()
        person.page.get_by_text("You look at an earlier position.").wait_for()
        assert person.page.url.endswith(f"/t/{game}#e4")
        person.page.get_by_role("button", name="One entry on").click()
        person.page.wait_for_url("**#e5")
        person.page.get_by_role("button", name="Now").click()
        person.page.wait_for_url(f"**/t/{game}")
        person.page.go_back()
        person.page.wait_for_url("**#e5")
        person.page.get_by_text("Entry 5 of").first.wait_for()
        assert not person.page.locator(".choice").is_visible()

    def test_the_arrows_of_the_scrubber(self, person: Person) -> None:
        person.sit_down(DICE, LONG_DICE)
        person.act_by_list()
        person.page.get_by_role("slider", name="Entry").focus()
        person.press("Home")
        person.page.wait_for_url("**#e4")
        person.press("ArrowRight")
        person.page.wait_for_url("**#e5")
        person.press("End")
        person.page.wait_for_url(f"**#e{person.state()['seq']}")

    def test_links_are_opened_where_they_point(self, person: Person) -> None:
        game = person.sit_down(DICE, LONG_DICE)
        person.open(game, "#e4&as=onlooker")
        person.page.get_by_text("Entry 4 of").first.wait_for()
        titles = person.page.locator("tabularium-board svg > title")
        titles.filter(has_text="onlooker").wait_for(state="attached")

    def test_the_log_is_one_stop_of_the_tab_key(self, person: Person) -> None:
        """Arrows walk through its lines, however many: Tab comes to the actions again soon."""
        person.sit_down(DICE, LONG_DICE, seats=[{"kind": "bot", "bot": "random"}] * 2)
        last = person.until(lambda state: state["phase"] == "over")["seq"]
        buttons = person.page.locator(".log button")
        buttons.last.focus()
        person.press("ArrowUp", "ArrowUp", "ArrowDown", "Enter")
        person.page.get_by_text(f"Entry {last - 1} of").first.wait_for()
        person.press("Shift+Tab", "Tab")
        assert person.focused()["name"] == buttons.nth(-2).text_content()
        person.press("Tab")
        assert person.focused()["name"] not in buttons.all_text_contents()
        person.press("Shift+Tab", "Home", "Enter")
        person.page.get_by_text("Entry 1 of").first.wait_for()

    def test_nothing_that_follows_is_told_without_spoilers(self, person: Person) -> None:
        """Neither length nor result nor later entries, until the person asks for them."""
        game = person.sit_down(DICE, LONG_DICE)
        person.act_by_list()
        last = person.resign()["seq"]
        page = person.page
        person.open(game, "#e5&spoilers=no")
        page.get_by_text("Entry 5 of ?").wait_for()
        entries = page.locator(".log li")
        visible = [each for each in entries.all() if each.is_visible()]
        assert visible
        assert max(int(each.get_attribute("data-seq") or last) for each in visible) <= 5 < last
        told = [".panels", ".menu", ".since-box", ".seats .faint", "input[type=range]"]
        assert not any(each.is_visible() for name in told for each in page.locator(name).all())
        assert "★" not in page.locator("tabularium-table .table").inner_text()
        page.get_by_role("button", name="One entry on").click()
        page.wait_for_url("**#e6&spoilers=no")
        page.get_by_label("Hide what follows").uncheck()
        page.wait_for_url("**#e6")
        page.get_by_text(f"Entry 6 of {last}").wait_for()
        assert entries.last.is_visible()
        page.get_by_label("Hide what follows").check()
        page.get_by_text("Entry 6 of ?").wait_for()
        page.get_by_role("button", name="Now", exact=True).click()
        page.wait_for_url(f"**/t/{game}")
        assert page.get_by_text("★").is_visible()
        assert not page.get_by_label("Hide what follows").is_checked()


class TestRefusals:
    def test_a_stale_choice(self, person: Person, complaints: Complaints) -> None:
        """Another device acts: the page says that the table has changed, and does nothing."""
        complaints.expect("status of 409")
        game = person.sit_down(DICE, LONG_DICE)
        person.page.route("**/me/stream", lambda route: route.abort())
        complaints.expect("/me/stream")
        person.page.reload()
        person.until_my_turn()
        elsewhere = person.page.evaluate(
            """async () => {
              const { session } = document.querySelector("tabularium-table");
              const { token, seat, offers } = session.choice;
              const path = { game: session.id };
              const body = { seat, choice: token, action: offers[0].action };
              return (await session.api.call("act", { path, body })).seq;
            }"""
        )
        person.page.locator(".offers button").last.click()
        person.page.get_by_text("The table has changed").wait_for()
        log = person.served.ask(f"/games/{game}/log?after={elsewhere - 1}")["items"]
        assert [entry["seat"] for entry in log].count(0) == 1

    def test_an_illegal_action(self, person: Person, complaints: Complaints) -> None:
        complaints.expect("status of 422")
        person.sit_down(DICE, LONG_DICE)
        before = person.state()
        person.page.evaluate(
            """() => {
              const table = document.querySelector("tabularium-table");
              return table.act({ action: { type: "nothing.like_this" }, label: "" });
            }"""
        )
        said = person.page.locator(".problem").inner_text()
        assert said
        person.page.evaluate("document.querySelector('tabularium-table').session.refresh()")
        assert person.state()["notice"] == said  # although the table was looked at anew
        assert person.state()["seq"] == before["seq"]
        person.act("never")
        person.until_after(before["seq"])
        assert person.state()["notice"] == ""

    def test_too_many_requests(self, person: Person, complaints: Complaints) -> None:
        """The page waits as long as it is asked to, and goes on."""
        complaints.expect("status of 429")
        person.sit_down(DICE, LONG_DICE)
        refusals = [1]

        def refuse(route: Route) -> None:
            if refusals and refusals.pop():
                problem = {"status": 429, "code": "rate-limited", "detail": "Too many."}
                route.fulfill(status=429, headers={"Retry-After": "1"}, body=json.dumps(problem))
            else:
                route.continue_()

        person.page.route("**/actions", refuse)
        person.act_by_list()
        assert not refusals

    def test_a_revoked_key(self, person: Person, complaints: Complaints) -> None:
        complaints.expect("status of 401")
        person.sit_down(DICE, LONG_DICE)
        person.page.evaluate("localStorage.setItem('tabularium.key', 'tab_0_0')")
        person.page.locator(".offers button").last.click()
        person.page.get_by_text("This browser's key is no longer valid.").wait_for()

    def test_a_cut_network(self, person: Person, complaints: Complaints) -> None:
        """An action that is chosen without a network is done once when the network is back."""
        complaints.expect("ERR_INTERNET_DISCONNECTED")
        game = person.sit_down(DICE, LONG_DICE)
        before = person.until_my_turn()
        person.page.context.set_offline(True)
        person.page.locator(".offers button").last.click()
        person.page.wait_for_timeout(100)
        person.page.context.set_offline(False)
        person.until_my_turn(before["token"])
        log = person.served.ask(f"/games/{game}/log?after={before['seq']}&limit=200")["items"]
        own = [entry for entry in log if entry["seat"] == 0]
        assert len(own) == 1

    def test_a_killed_server(self, person: Person, served: Mortal, complaints: Complaints) -> None:
        """An action that is chosen while the server is dead is done once when it is back, though
        the first reply is lost, and the game goes on to an end that verifies."""
        complaints.expect("ERR_INCOMPLETE_CHUNKED_ENCODING")  # the stream was cut
        for text in ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "status of 409"):
            complaints.expect(text)  # the last one: the server does not sign its record
        clock = person.page.clock
        clock.install()
        game = person.sit_down(DICE, LONG_DICE)
        before = person.until_my_turn()
        clock.pause_at(person.page.evaluate("Date.now() + 1"))  # no second attempt before
        sent = person.page.expect_event("requestfailed", lambda each: "/actions" in each.url)
        with served.killed(), sent:
            person.page.locator(".offers button").last.click()
        person.page.route("**/actions", lose_reply, times=1)
        clock.resume()
        person.until_my_turn(before["token"])
        log = served.ask(f"/games/{game}/log?after={before['seq']}&limit=200")["items"]
        assert [entry["seat"] for entry in log].count(0) == 1
        person.resign()
        person.check_fairness()


def lose_reply(route: Route) -> None:
    """Let the server do as it is asked, and lose the reply."""
    assert route.fetch().ok
    route.abort("connectionreset")


class TestPicking:
    def test_things_lead_to_actions(self, person: Person) -> None:
        """A card and a slot of the tablet are one law; the list names it."""
        person.sit_down(DICE, LONG_DICE)
        board = person.page.locator("tabularium-board")
        slot = board.locator('[data-pick^="slot=1"]')
        slot.click()
        board.locator('[data-pick^="slot=1"][aria-pressed="true"]').wait_for()
        board.locator('.live[data-pick^="card="]').first.click()
        board.locator('[data-pick^="card="][aria-pressed="true"]').wait_for()
        labels = person.page.locator(".offers button")
        assert soon(lambda: all("1" in label for label in labels.all_inner_texts()))
        assert labels.count()
        person.press("Escape")
        assert board.locator('[aria-pressed="true"]').count() == 0

    def test_only_the_own_turn_is_lit(self, person: Person) -> None:
        person.sit_down(DICE, LONG_DICE)
        person.page.get_by_role("button", name="First entry").click()
        person.page.get_by_text("You look at an earlier position.").wait_for()
        person.until(lambda state: state["lit"] == 0)

    def test_search_and_facets(self, person: Person) -> None:
        person.sit_down("duel_of_law")
        state = person.until_my_turn()
        search = person.page.get_by_role("searchbox", name="Search your actions")
        search.fill(person.page.locator(".offers button").first.inner_text())
        assert 0 < person.left() < state["offers"]
        search.fill("")
        facet = person.page.locator(".facets select").first
        facet.select_option(index=1)
        assert person.left() < state["offers"]
        assert (
            person.page.locator(".facets select").first.evaluate("(one) => one.selectedIndex") == 1
        )

    def test_a_search_stays_when_the_same_choice_is_read_again(self, person: Person) -> None:
        person.sit_down("duel_of_law")
        state = person.until_my_turn()
        search = person.page.get_by_role("searchbox", name="Search your actions")
        search.fill(state["last"])
        listed = person.left()
        assert listed < state["offers"]
        button = person.page.locator(".offers button").last.element_handle()
        assert button is not None
        person.page.evaluate("document.querySelector('tabularium-table').session.refresh()")
        assert search.input_value() == state["last"]
        assert person.left() == listed
        assert button.evaluate("(one) => one.isConnected"), "a click on it would be lost"

    def test_fingers_are_asked_to_confirm(
        self, new_page: Callable[..., Page], served: Served
    ) -> None:
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        person = Person(new_page(**phone), served)
        person.sit_down(DICE, LONG_DICE)
        before = person.state()
        person.page.locator(".offers button").first.tap()
        person.page.get_by_role("button", name="Do it").wait_for()
        assert person.state()["seq"] == before["seq"]
        person.page.get_by_role("button", name="Do it").tap()
        person.until(lambda state: state["seq"] > before["seq"])


class TestTabs:
    def test_seven_tabs_have_one_stream(self, person: Person, served: Served) -> None:
        """Seven tabs of one game: all load, one holds the stream, and all hear of an action."""
        streams: list[str] = []
        context = person.page.context
        context.on(
            "request", lambda sent: streams.append(sent.url) if "/stream" in sent.url else None
        )
        game = person.sit_down(DICE, LONG_DICE)
        others = [Person(context.new_page(), served) for _ in range(6)]
        for other in others:
            other.open(game)
        person.page.bring_to_front()
        person.act_by_list()
        seq = person.state()["seq"]
        for other in others:
            other.until(lambda state: state["seq"] >= seq)
        assert len(streams) == 1

    def test_a_game_that_goes_on_without_the_person_is_followed(
        self, person: Person, served: Served
    ) -> None:
        """In the tab in which they resign, and in another one."""
        game = person.sit_down("duel_edged_sword")
        other = Person(person.page.context.new_page(), served)
        other.open(game)
        person.resign()
        other.until(lambda state: state["phase"] == "over")

    def test_a_closed_tab_hands_its_stream_on(self, person: Person, served: Served) -> None:
        game = person.sit_down(DICE, LONG_DICE)
        other = Person(person.page.context.new_page(), served)
        other.open(game)
        third = Person(person.page.context.new_page(), served)
        third.open(game)
        person.page.close()
        before = other.state()["seq"]
        third.act_by_list()
        other.until(lambda state: state["seq"] > before)


class TestBudgets:
    def test_bytes_and_requests(self, person: Person) -> None:
        """The requests of a table page before its first picture, and the size of its assets."""
        game = person.sit_down(DICE, LONG_DICE)
        sizes: dict[str, int] = {}
        calls: list[str] = []

        def finished(request: Any) -> None:
            if "/static/" in request.url:
                sizes[request.url] = request.sizes()["responseBodySize"]

        page = person.page.context.new_page()
        page.on("requestfinished", finished)
        page.on("request", lambda sent: calls.append(sent.url) if "/api/" in sent.url else None)
        page.goto(f"{person.served.url}/t/{game}")
        page.locator("tabularium-board svg").wait_for()
        assert len([call for call in calls if "stream" not in call]) <= 3
        page.wait_for_load_state("load")
        assert sum(sizes.values()) <= 40_000
        assert len(sizes) <= 40


@pytest.fixture
def ada(person: Person) -> Person:
    """The person on seat 0."""
    return person


@pytest.fixture
def bob(new_page: Callable[..., Page], served: Served) -> Person:
    """The person on seat 1."""
    return Person(new_page(), served)


def take_turns(people: Sequence[Person], kind: str, is_there: Callable[[], bool]) -> None:
    """Do actions of this kind, or else the last ones, of those who are awaited, until it is so."""
    while not is_there():
        actor = next(each for each in people if each.state()["isAwaited"])
        before = actor.state()["seq"]
        actor.act(kind)
        for person in people:
            person.until_after(before)


def test_sealed_votes(
    ada: Person, bob: Person, new_page: Callable[..., Page], complaints: Complaints
) -> None:
    """Two people share a table, whose link one of them has, and see each other's actions. One
    votes: the page shows that the vote is sealed and who has yet to vote, and no other page
    has the suit."""
    complaints.expect("status of 409")  # before the deal there is no picture
    game = ada.sit_down(DICE, LONG_DICE, seats=[{"kind": "me"}, {"kind": "open"}])
    bob.open(game)
    bob.page.get_by_role("button", name="Sit down on seat 1").click()
    for person in (ada, bob):
        person.until(lambda state: state["phase"] == "playing" and state["drawn"])
    eve = Person(new_page(), ada.served)
    eve.open(game)
    assert eve.state()["token"] is None
    assert eve.page.locator(".live").count() == 0
    pair = (ada, bob)
    take_turns((*pair, eve), "call_count", lambda: all(each.state()["isAwaited"] for each in pair))
    assert "sealed" not in ada.status()
    before = ada.state()["seq"]
    ada.page.get_by_role("button", name="Vote for hearts").click()
    ada.page.get_by_text("Your choice is sealed. Waiting for Seat 1, guest.").wait_for()
    for person, known in ((ada, "hearts"), (bob, None), (eve, None)):
        person.until_after(before)
        vote = person.page.evaluate(LAST_ENTRY)
        assert (vote["seat"], vote["action"].get("suit")) == (0, known)
        assert "suit" not in vote["public"]["action"]
        assert ("sealed" in person.status()) is (person is ada)
        assert ("hearts" in person.page.locator(".log").inner_text()) is (person is ada)
    bob.page.get_by_role("button", name="Vote for spades").click()
    for person in (ada, bob, eve):
        person.page.locator(".log").get_by_text("The votes are opened").wait_for()
        assert "sealed" not in person.status()


def test_the_last_seat_is_taken_while_no_stream_arrives(
    ada: Person, bob: Person, complaints: Complaints
) -> None:
    """The game begins with the reply to the person who sits down, and has a picture then."""
    complaints.expect("status of 409")  # before the deal there is no picture
    game = ada.sit_down(DICE, LONG_DICE, seats=[{"kind": "me"}, {"kind": "open"}])
    bob.page.route("**/stream*", lambda route: None)  # is never answered
    bob.open(game)
    bob.page.get_by_role("button", name="Sit down on seat 1").click()
    bob.until(lambda state: state["phase"] == "playing" and state["drawn"])


class Players:
    """Two programs that play a game of the API, always with the first offer."""

    def __init__(self, ada: Client, bob: Client) -> None:
        self.ada, self.bob = ada, bob
        seats: list[types.NewSeat] = [ME, {"kind": "open"}]
        created = ada.create_game(rules="law", options={"deck": "introductory"}, seats=seats)
        self.game = created["id"]
        bob.join_game(self.game, seat=1)

    def choices(self) -> list[tuple[Client, types.ChoiceView]]:
        """The choices of the two, as far as they have any."""
        found = [(each, each.game(self.game)["choice"]) for each in (self.ada, self.bob)]
        return [(each, choice) for each, choice in found if choice and choice["offers"]]

    def act(self) -> int:
        """Do the first action of an awaited player: the number of its entry."""
        each, choice = next(one for one in self.choices() if one[1]["is_awaited"])
        action, token = choice["offers"][0]["action"], choice["token"]
        return each.act(self.game, seat=choice["seat"], choice=token, action=action)["seq"]

    def until_a_reaction(self) -> str:
        """Play until one of the two may act out of turn: its key."""
        while not (found := [each for each, choice in self.choices() if not choice["is_awaited"]]):
            self.act()
        return str(found[0].key)


@pytest.fixture
def players(served: Served) -> Iterator[Players]:
    """Two players of a game in which one may act out of turn."""
    with Client(served.url) as ada, Client(served.url) as bob:
        yield Players(ada, bob)


def test_acting_out_of_turn(person: Person, players: Players) -> None:
    """Who may act, but need not, is not disturbed: the list is folded, and the focus stays."""
    key = players.until_a_reaction()
    person.page.add_init_script(f"localStorage.setItem('tabularium.key', '{key}')")
    person.open(players.game)
    heading = person.page.get_by_text("You may act, but need not")
    heading.wait_for()
    assert not person.page.locator(".offers button").first.is_visible()
    assert not person.page.title().startswith("●")
    assert person.status().startswith("Waiting for Seat ")
    heading.click()
    before = person.state()["seq"]
    person.page.locator(".offers button").last.click()
    person.until_after(before)
    person.page.get_by_role("button", name=SHARE).focus()
    seq = players.act()
    person.until_after(seq - 1)
    assert person.focused()["name"] == SHARE
