"""The pages beside the table in Chromium: from the first page to an own action, new games,
invitations, and the account."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.config.processes import soon
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
TABLE: Final = re.compile(r"/t/game_[0-9a-f]{32}$")
SLUG, TITLE = next((slug, engine.about.title) for slug, engine in ENGINES.items())
ADDRESSES: Final = """(found) => found
  .map((one) => new URL(one.src ?? one.href))
  .filter(({ origin, pathname }) => origin === location.origin && pathname !== location.pathname)
  .map(({ pathname }) => pathname)"""
NewPage = Callable[..., Any]


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name, exact=True).click()


def invitation(page: Page, served: Served, visibility: str = "public") -> str:
    """The link to the other seat of a new game."""
    page.goto(f"{served.url}/new/{SLUG}")
    page.get_by_label("Seat 1", exact=True).select_option("invite")
    page.get_by_label("Who may watch").select_option(visibility)
    press(page, "Create the game")
    return str(page.get_by_label("Link for seat 1", exact=True).input_value())


def game_of(page: Page) -> str:
    """The game of a table's page, once it is there."""
    page.wait_for_url(TABLE)
    return str(page.url).rpartition("/")[2]


def stored(page: Page) -> dict[str, str]:
    """The storage of this browser."""
    items: dict[str, str] = page.evaluate("({...localStorage})")
    return items


class TestPlayNow:
    @pytest.mark.parametrize("title", [engine.about.title for engine in ENGINES.values()])
    def test_one_press_leads_to_a_table(self, page: Page, served: Served, title: str) -> None:
        page.goto(served.url)
        press(page, f"Play {title}")
        game = served.ask(f"/games/{game_of(page)}")
        assert game["phase"] == "playing"
        assert [seat["kind"] for seat in game["seats"]][:2] == ["account", "bot"]

    @pytest.mark.lane("smoke")
    def test_two_presses_lead_to_an_own_action(self, page: Page, served: Served) -> None:
        page.goto(served.url)
        press(page, f"Play {TITLE}")
        page.locator(".offers button").first.click()
        game, key = game_of(page), stored(page)["tabularium.key"]

        def has_acted() -> bool:
            entries = served.ask(f"/games/{game}/log", key)["items"]
            return any(entry["seat"] == 0 for entry in entries)

        assert soon(has_acted)

    def test_looking_makes_no_account(self, page: Page, served: Served) -> None:
        page.goto(served.url)
        page.get_by_role("button", name=f"Play {TITLE}", exact=True).wait_for()
        assert stored(page) == {}

    def test_a_copy_of_the_page_works_as_well(self, page: Page, served: Served) -> None:
        for _ in range(2):
            page.goto(served.url)
            page.get_by_role("heading", name="Play now").wait_for()

    def test_the_lists_stay_current(
        self, new_page: NewPage, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 409")  # no picture before the game
        ada, bob = new_page(), new_page()
        for each in (ada, bob):
            each.goto(served.url)
            each.get_by_role("heading", name="Seats that are open").wait_for()
        ada.goto(f"{served.url}/new/{SLUG}")
        ada.get_by_label("Seat 1", exact=True).select_option("open")
        press(ada, "Create the game")
        game = game_of(ada)
        bob.evaluate("dispatchEvent(new Event('focus'))")
        bob.locator(f"#join-{game}").click()
        assert game_of(bob) == game
        assert served.ask(f"/games/{game}")["phase"] == "playing"
        bob.goto(served.url)
        bob.locator(f"#{game}").wait_for()


class TestTheGuides:
    def test_all_can_be_read_and_their_links_lead_somewhere(
        self, page: Page, served: Served
    ) -> None:
        """From the first page on, with every picture and every other guide that they link to."""
        page.goto(served.url)
        page.get_by_role("link", name="Guides").last.click()
        page.get_by_role("heading", name="Two commands").wait_for()
        waiting, seen = ["/guides"], set[str]()
        while waiting:
            page.goto(served.url + waiting.pop())
            page.locator("main:not([aria-busy]) .book h1").wait_for()
            assert "](" not in "".join(page.locator(".book :is(p, li, td)").all_inner_texts())
            found = set(page.locator(".book :is(a, img)").evaluate_all(ADDRESSES)) - seen
            seen |= found
            pages = {one for one in found if re.fullmatch(r"/guides/[\w-]+", one)}
            waiting += pages
            for address in found - pages:
                assert page.request.get(served.url + address).ok, address
        assert len(seen) > 30

    def test_a_missing_page_leads_on(
        self, page: Page, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 404")
        page.goto(f"{served.url}/nowhere")
        page.get_by_role("heading", name="There is no page here").wait_for()
        page.get_by_role("link", name="Play a game").click()
        page.get_by_role("heading", name="Play now").wait_for()


class TestANewGame:
    def test_an_error_stands_at_its_field(
        self, page: Page, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 422")
        page.goto(f"{served.url}/new/{SLUG}")
        field = page.get_by_label("Points to win")
        field.fill("22")
        press(page, "Create the game")
        page.get_by_role("alert").get_by_role("link", name="Points to win").click()
        assert field.get_attribute("aria-invalid") == "true"
        described = (field.get_attribute("aria-describedby") or "").split()
        assert "from 1 to 10" in page.locator(f"#{described[-1]}").inner_text()
        field.fill("2")
        press(page, "Create the game")
        assert served.ask(f"/games/{game_of(page)}")["options"]["points_to_win"] == 2

    def test_all_of_the_form_is_sent(self, page: Page, served: Served) -> None:
        page.goto(f"{served.url}/new/{SLUG}")
        page.get_by_label("How many play").select_option("3")
        page.get_by_label("Seat 1", exact=True).select_option("bot:greedy")
        page.get_by_label("Seat 2", exact=True).select_option("bot:random")
        page.get_by_label("Laws kept").check()
        page.get_by_label("Time for a decision").select_option("60000")
        page.get_by_label("When the time is over").select_option("resign")
        page.get_by_label("Players may take hints").check()
        press(page, "Create the game")
        game = served.ask(f"/games/{game_of(page)}")
        assert [seat["bot"] for seat in game["seats"]] == [None, "greedy", "random"]
        assert game["options"]["laws_kept"]
        assert game["clock"] == {"action_ms": 60_000, "then": "resign"}
        assert game["hints"]

    @pytest.mark.parametrize("slug", ENGINES)
    def test_names_in_the_hints_are_set_as_code(
        self, page: Page, served: Served, slug: str
    ) -> None:
        page.goto(f"{served.url}/new/{slug}")
        page.get_by_role("button", name="Create the game").wait_for()
        shown = "\n".join(page.locator(".field p").all_inner_texts())
        assert "`" not in shown
        for option in served.ask(f"/rules/{slug}")["options"]:
            assert option["kind"] == "other" or option["description"].replace("`", "") in shown

    def test_an_account_is_challenged_and_declines(
        self, new_page: NewPage, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 409")  # no picture before the game
        ada, bob = new_page(), new_page()
        ada.goto(f"{served.url}/me")
        press(ada, "Make an account")
        ada.get_by_role("link", name="Your page").click()
        ada.get_by_role("heading", name="Games").wait_for()
        assert ada.get_by_role("link", name="Challenge in").count() == 0  # oneself
        bob.goto(ada.url)
        bob.get_by_role("link", name=f"Challenge in {TITLE}", exact=True).click()
        press(bob, "Create the game")
        game = game_of(bob)
        ada.goto(served.url)
        ada.get_by_role("heading", name="Challenges to you").wait_for()
        ada.get_by_role("button", name="Decline").click()
        ada.get_by_role("heading", name="Challenges to you").wait_for(state="detached")
        assert served.ask(f"/games/{game}")["seats"][1]["kind"] == "declined"


class TestAnInvitation:
    @pytest.mark.parametrize("visibility", ["public", "private"])
    def test_its_holder_joins(
        self, new_page: NewPage, served: Served, visibility: str, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")  # a table that is private, or waits
        ada, bob = new_page(), new_page()
        link = invitation(ada, served, visibility)
        bob.goto(link)
        press(bob, "Join the game")
        game = game_of(bob)
        key = stored(bob)["tabularium.key"]
        assert served.ask(f"/games/{game}", key)["your_seats"] == [1]
        bob.goto(link)
        bob.get_by_text("You play in this game already.").wait_for()

    def test_its_secret_is_sent_to_join_alone(self, new_page: NewPage, served: Served) -> None:
        ada, bob = new_page(), new_page()
        link = invitation(ada, served)
        secret = link.partition("#")[2].partition(".")[0]
        sent = list[str]()
        bob.on("request", lambda one: sent.append(f"{one.url} {one.headers} {one.post_data}"))
        bob.goto(link)
        press(bob, "Join the game")
        game_of(bob)
        assert [one.split()[0].rpartition("/")[2] for one in sent if secret in one] == ["join"]
        bob.go_back()
        assert secret not in bob.url

    def test_a_wrong_and_a_used_one_are_refused_plainly(
        self, new_page: NewPage, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")
        ada, bob, eve = new_page(), new_page(), new_page()
        link = invitation(ada, served)
        eve.goto(link.partition("#")[0] + "#inv_00000000000000000000000000000000.1")
        press(eve, "Join the game")
        eve.get_by_text("This invitation does not open a seat").wait_for()
        eve.goto("about:blank")
        eve.goto(link.partition("#")[0])
        eve.get_by_text("This address has no invitation").wait_for()
        bob.goto(link)
        press(bob, "Join the game")
        game_of(bob)
        eve.goto("about:blank")
        eve.goto(link)
        eve.get_by_text("This game has begun").wait_for()


class TestTheAccount:
    @pytest.fixture
    def me(self, page: Page, served: Served) -> Page:
        """The page of a new account."""
        page.goto(f"{served.url}/me")
        press(page, "Make an account")
        page.get_by_role("heading", name="Your key").wait_for()
        return page

    def test_a_name_is_text(self, me: Page) -> None:
        me.get_by_label("Name", exact=True).fill("<b>Ada</b>")
        press(me, "Save")
        me.get_by_text("Saved.").wait_for()
        me.get_by_role("link", name="Your page").click()
        me.get_by_role("heading", name="<b>Ada</b>").wait_for()

    def test_the_key_is_kept_and_then_forgotten(
        self, me: Page, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")
        key = me.get_by_label("The key").input_value()
        with me.expect_download() as saved:
            press(me, "Save as a file")
        assert Path(saved.value.path()).read_text().splitlines() == [key, f"{served.url}/me"]
        me.goto(served.url)
        me.get_by_role("link", name="Keep its key").click()
        press(me, "I have kept it")
        press(me, "Forget it in this browser?")
        me.get_by_role("heading", name="Your key").wait_for(state="detached")
        assert key not in stored(me).values()
        me.reload()
        me.get_by_text("cannot manage your account").wait_for()
        paste(me, "tab_wrong")
        me.get_by_text("No account has this key.").wait_for()
        paste(me, key)
        me.get_by_role("heading", name="Another device").wait_for()

    def test_a_code_brings_it_to_another_device(
        self, me: Page, new_page: NewPage, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")
        press(me, "Show a code")
        code = me.locator(".code").inner_text()
        me.get_by_role("img", name="The code as a picture").wait_for()
        phone = new_page()
        phone.goto(f"{served.url}/me#{code}")
        press(phone, "Go on here")
        phone.get_by_role("heading", name="Your games").wait_for()
        assert code not in phone.url
        assert account(served, me) == account(served, phone)

    def test_a_recovery_code_brings_it_back(
        self, me: Page, new_page: NewPage, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")
        me.get_by_text("You have no codes.").wait_for()
        press(me, "Make ten new codes")
        part = me.get_by_role("region", name="Recovery codes")
        with me.expect_download() as saved:
            part.get_by_role("button", name="Save as a file").click()
        *codes, address = Path(saved.value.path()).read_text().splitlines()
        assert (len(codes), address) == (10, f"{served.url}/me")
        assert part.locator("pre").inner_text().split() == codes
        found = new_page()
        found.goto(address)
        found.get_by_label("Code", exact=True).fill(codes[4].lower())
        press(found, "Go on here")
        found.get_by_text("9 codes are left.").wait_for()
        found.get_by_text(re.compile("^Used ")).wait_for()
        assert account(served, me) == account(served, found)

    def test_all_games_are_saved(self, me: Page, served: Served) -> None:
        me.goto(served.url)
        press(me, f"Play {TITLE}")
        game = game_of(me)
        me.goto(f"{served.url}/me")
        with me.expect_download() as saved:
            press(me, "Save all games")
        lines = Path(saved.value.path()).read_text().splitlines()
        assert game in lines[0]
        assert '"tabularium":"export/' in lines[0]

    def test_it_is_deleted_when_the_word_is_typed(
        self, me: Page, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 40")
        gone = account(served, me)
        press(me, "Delete my account")
        me.get_by_role("status").get_by_text("Type delete to confirm").wait_for()
        me.get_by_label("Type delete to confirm").fill("delete")
        press(me, "Delete my account")
        me.get_by_role("button", name="Make an account").wait_for()
        assert stored(me) == {}
        me.goto(f"{served.url}/players/{gone}")
        me.get_by_role("heading", name="This page could not be shown").wait_for()

    def test_a_question_is_asked_again_after_a_failure(
        self, me: Page, complaints: Complaints
    ) -> None:
        complaints.expect("status of 403")
        refusal = {"status": 403, "title": "Forbidden", "detail": "Not now."}
        me.route("**/me/keys/*", lambda route: route.fulfill(status=403, json=refusal))
        revoke = me.get_by_role("list").get_by_role("button").last
        assert revoke.inner_text() == "Revoke"
        revoke.click()
        assert revoke.inner_text() == "Really?"
        revoke.click()
        me.get_by_text("Not now.").wait_for()
        assert revoke.inner_text() == "Revoke"

    def test_signing_out_asks_first(self, me: Page) -> None:
        press(me, "Sign out of this browser")
        assert stored(me)
        press(me, "The key was not kept: the account will be lost. Sign out?")
        me.get_by_role("button", name="Make an account").wait_for()
        assert stored(me) == {}


def paste(page: Page, key: str) -> None:
    """Paste a key."""
    page.get_by_label("Paste your key").fill(key)
    press(page, "Use it here")


def account(served: Served, page: Page) -> str:
    """The account of a browser."""
    return str(served.ask("/me", stored(page)["tabularium.key"])["id"])


def test_a_revoked_key_is_said_and_forgotten(
    page: Page, served: Served, complaints: Complaints
) -> None:
    complaints.expect("status of 401")
    page.goto(served.url)
    page.evaluate(
        "localStorage.setItem('tabularium.key', 'tab_0000000000000000_' + '0'.repeat(64))"
    )
    page.reload()
    page.get_by_text("opens no account any more").wait_for()
    press(page, "Sign out of this browser")
    page.get_by_role("heading", name="Play now").wait_for()


class TestTheRecord:
    def test_an_unsigned_one_promises_nothing(
        self, page: Page, served: Served, complaints: Complaints
    ) -> None:
        complaints.expect("status of 404")
        page.goto(served.url)
        page.get_by_role("link", name="The public record").click()
        page.get_by_text("does not sign its record").wait_for()
        assert page.get_by_role("heading", name="Promised and proven").count() == 0
        page.get_by_role("heading", name="Not promised yet").wait_for()

    def test_a_signed_one_shows_its_checkpoint(self, page: Page, served: Served) -> None:
        note = f"games.example/record\n12345\n{'A' * 43}=\n\n— games.example/record x\n"
        page.route("**/record/checkpoint", lambda route: route.fulfill(body=note))
        page.goto(f"{served.url}/record")
        page.get_by_role("heading", name="Promised and proven").wait_for()
        cells = page.get_by_role("cell").all_inner_texts()
        assert cells == ["games.example/record", "12345", f"{'A' * 43}="]
