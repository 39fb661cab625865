"""Verification in Chromium: true exports are good, forgeries are named, and nothing is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.browser.pages_alone import BY_HTTP, HERE, PagesAlone
from tests.docs.record_vectors import ORIGIN, SIGNER, STRANGER, proven
from tests.docs.test_people import altered, without
from tests.docs.test_second_verifier import last_open_action, putting, sealing
from tests.games.audit.forging import Change, first_of, forged
from tests.games.audit.making import GameBuilder, new_plan, people_game, play_plan
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
SLUG = "duality"


@pytest.fixture
def pages(page: Page) -> PagesAlone:
    """The page that verifies."""
    pages = PagesAlone(page)
    page.goto(f"{HERE}/verify")
    page.locator("#file").wait_for()
    return pages


@cache
def played() -> GameBuilder:
    """A finished game whose players gave seeds."""
    return play_plan(new_plan(ENGINES[SLUG], 2, 3, has_seeds=True))


def true_export() -> list[bytes]:
    return played().lines("everything")


def true_proof() -> bytes:
    """The proof of the game from a record."""
    record = json.loads(proven(true_export(), "blind/1")[-1])["record"]
    return str(record["proof"]).encode()


def choose(pages: PagesAlone, lines: list[bytes], name: str = "game.ndjson") -> None:
    """Choose a file, and wait for its verdict."""
    heading = pages.page.locator("#verdict h2", has_text=name)
    file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": b"".join(lines)}
    pages.page.set_input_files("#file", file)
    heading.wait_for()


def test_true_exports_of_all_rulesets_are_good(pages: PagesAlone) -> None:
    for slug, number in product(ENGINES, (1, 6)):
        lines = people_game(ENGINES[slug], number).lines("onlooker")
        choose(pages, lines, f"{slug}-{number}.ndjson")
        assert pages.page.inner_text("#verdict h2") == f"{slug}-{number}.ndjson is good"
        assert pages.page.locator(".mark.bad").count() == 0
    assert pages.asked == []


def test_it_says_what_it_has_checked_and_what_not(pages: PagesAlone) -> None:
    choose(pages, true_export())
    states = pages.page.locator(".checks li").all_inner_texts()
    assert [re.sub(r"\s+", " ", text).split(".")[0] for text in states] == [
        "✓ Form – Checked",
        "✓ Chain – Checked",
        "✓ Table and agreements – Checked",
        "✓ Secret – Checked",
        "✓ Seals – Checked",
        "✓ Draws – Checked",
        "✓ Signatures – Checked",
        "– Public record – Not checked",
        "– Rules – Not checked",
    ]
    assert "Level 2" in states[5]
    assert pages.page.locator(".own").count() == 0  # the seeds are those of others
    running = play_plan(new_plan(ENGINES[SLUG], 2, 3, has_seeds=True, stops_at=20))
    choose(pages, running.lines("seat:0"), "running.ndjson")
    assert pages.page.inner_text("#verdict h2") == "running.ndjson is good so far"
    assert pages.page.locator(".mark.later").count() == 2  # the secret and the draws


def test_without_https_all_but_signatures_is_checked(page: Page, complaints: Complaints) -> None:
    complaints.expect("Cross-Origin-Opener-Policy header has been ignored")
    pages = PagesAlone(page)
    page.goto(f"{BY_HTTP}/verify")
    choose(pages, true_export())
    assert page.inner_text("#verdict h2") == "game.ndjson is good"
    assert "Not checked here" in page.locator(".checks li").nth(6).inner_text()
    choose(pages, text_changed(4, '"prev":"', '"prev":"0')(), "forged.ndjson")
    assert page.inner_text("#verdict h2") == "REFUSED: forged.ndjson"


# -- forgeries ------------------------------------------------------------------------------------

Forgery = Callable[[], list[bytes]]


def text_changed(line: int, old: str, new: str) -> Forgery:
    """A change to the text of a line, which is counted from 1, or from the end."""

    def forge() -> list[bytes]:
        lines = true_export()
        at = line - 1 if line > 0 else line
        assert re.search(old.encode(), lines[at])
        lines[at] = re.sub(old.encode(), new.encode(), lines[at], count=1)
        return lines

    return forge


def lied(change: Callable[[GameBuilder], Change]) -> Forgery:
    """A lie that the server chains, seals and signs."""
    return lambda: forged(played(), change(played()))


def last_action(**parts: Any) -> Callable[[GameBuilder], Change]:
    """A lie about members of the last entry."""

    def make(builder: GameBuilder) -> Change:
        changes = {name: (lambda _, new=new: new) for name, new in parts.items()}
        return altered(len(builder.rows) - 1, **changes)

    return make


def start_level(builder: GameBuilder) -> Change:
    return altered(first_of(builder, "start") - 1, level=lambda level: 3 - level)


def other_seed(builder: GameBuilder) -> Change:
    return altered(first_of(builder, "open_seed") - 1, seed=lambda seed: seed[::-1])


def other_draw(builder: GameBuilder) -> Change:
    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        draws = fields[str(first_of(builder, "start"))]["/draws"]
        draws[0][0] = (draws[0][0] + 1) % draws[0][1]

    return change


def after_the_end(builder: GameBuilder) -> Change:
    def change(entries: list[Any], fields: dict[str, Any]) -> None:
        entries.append(json.loads(json.dumps(entries[-1])))

    return change


def a_result(**parts: Any) -> Callable[[GameBuilder], Change]:
    """A lie about members of the result."""
    return last_action(result={**json.loads(played().rows[-1].text)["action"]["result"], **parts})


TRAILER, REVEAL = -1, -2  # lines
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "an empty file": (list, "The file ends too early."),
    "no trailer": (lambda: true_export()[:-1], "The file ends too early."),
    "half a line": (text_changed(TRAILER, "\\}\n", ""), "The line ends too early."),
    "whitespace": (text_changed(3, ":", ": "), "The line is not canonical JSON"),
    "no header": (lambda: true_export()[1:], "The first line is not the header of an export."),
    "another version": (text_changed(1, '"version":', '"version":9'), "disagree"),
    "another format": (text_changed(1, "export/1", "export/2"), "another format"),
    "a missing entry": (lambda: [*true_export()[:4], *true_export()[5:]], "wrong number"),
    "another link": (text_changed(4, '"prev":"..', '"prev":"00'), "its link is another hash"),
    "an altered entry": (text_changed(4, r"\.\d{3}Z", ".999Z"), "its link is another hash"),
    "a line after the end": (lambda: [*true_export(), true_export()[-1]], "A misplaced line."),
    "an opened field": (
        text_changed(REVEAL, r"\[\[\d+,", "[[0,"),
        "does not match its seal",
    ),
    "a missing field": (lambda: forged(played(), unrevealed), "Other fields are opened"),
    "a count": (text_changed(TRAILER, '"count":', '"count":1'), "The number of entries"),
    "a signature": (text_changed(TRAILER, '"signature":"..', '"signature":"00'), "is false"),
    "a signed hash": (text_changed(TRAILER, '"hash":"..', '"hash":"00'), "signs another hash"),
    "another key": (text_changed(TRAILER, '"key":"..', '"key":"00'), "of another game or key"),
    "no receipts": (text_changed(TRAILER, r"\[.*\]", "[]"), "no server has signed it"),
    "an early time": (
        lied(last_action(at="2020-01-02T03:04:05.678Z")),
        "earlier than the entry before",
    ),
    "an unknown seat": (
        lied(lambda game: putting(last_open_action(game), "seat", 61)),
        "no such seat",
    ),
    "an unknown kind": (lied(last_action(type="table.gift")), "no such kind of entry"),
    "another secret": (lied(last_action(secret="ab" * 32)), "before anybody joined"),
    "another seed": (lied(other_seed), "whose hash was given on joining"),
    "another level": (lied(start_level), "not the one that the seeds give"),
    "another draw": (lied(other_draw), "follows from the secret and the seeds"),
    "no draws": (
        lied(lambda game: sealing(first_of(game, "start"), "/draws", "x")),
        "The draws have",
    ),
    "two ends": (lied(after_the_end), "An entry after the end."),
    "a repeated winner": (lied(a_result(winners=[0, 0])), "or a repeated winner"),
    "no result": (lied(last_action(result=None)), "superfluous or missing result"),
    "a score too many": (lied(a_result(scores=[1, 2, 3])), "as many scores as seats"),
    "a missing seed": (
        lied(lambda game: without(first_of(game, "open_seed") - 1)),
        "owes its seed",
    ),
    "a foreign action": (
        lied(lambda game: altered(last_open_action(game), type=lambda _: "chess.play")),
        "not of this game",
    ),
}


def unrevealed(entries: list[Any], fields: dict[str, Any]) -> None:
    del fields[max(fields, key=int)]


def test_every_forgery_is_refused_with_its_name(pages: PagesAlone) -> None:
    named = {}
    for name, (forge, _) in FORGERIES.items():
        choose(pages, forge(), f"{name}.ndjson")
        assert pages.page.inner_text("#verdict h2") == f"REFUSED: {name}.ndjson"
        assert pages.page.locator(".mark.bad").count() == 1, name
        named[name] = pages.page.inner_text("#verdict .problem")
    wrong = {
        name: named[name] for name, (_, words) in FORGERIES.items() if words not in named[name]
    }
    assert wrong == {}
    assert len({re.sub(r"^Line \d+(, entry \d+)?: ", "", text) for text in named.values()}) >= 20
    assert pages.asked == []


def test_a_file_can_be_dropped(pages: PagesAlone) -> None:
    text = b"".join(true_export()).decode()
    pages.page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "dropped.ndjson"));
          const kind = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", kind));
        }""",
        text,
    )
    pages.page.locator("h2", has_text="dropped.ndjson is good").wait_for()
    assert pages.asked == []


def test_a_game_of_the_server_is_fetched_by_its_address(pages: PagesAlone) -> None:
    game = played().plan.game
    pages.answers[f"GET /games/{game}/export"] = b"".join(true_export())
    pages.answers[f"GET /games/{game}/record"] = true_proof()
    pages.page.fill("#game", f"{HERE}/t/{game}#e5")
    pages.page.get_by_role("button", name="Fetch and check").click()
    pages.page.locator("h2", has_text=f"{game} is good").wait_for()
    with pages.page.expect_download() as download:
        pages.page.get_by_role("link", name="Save the export").click()
    assert download.value.suggested_filename == f"{game}.ndjson"
    assert pages.asked == [f"GET /games/{game}/export", f"GET /games/{game}/record"]
    assert f"Leaf 1 of 2 in {ORIGIN}." in pages.page.locator(".checks li").nth(7).inner_text()


def test_without_receipts_the_rest_is_checked_on_request(pages: PagesAlone) -> None:
    choose(pages, text_changed(TRAILER, r"\[.*\]", "[]")())
    pages.page.get_by_role("button", name="Check all but the signatures").click()
    pages.page.locator("h2", has_text="game.ndjson is good").wait_for()
    assert "The file has none" in pages.page.locator(".checks li").nth(6).inner_text()


# -- the record -----------------------------------------------------------------------------------


def test_an_export_with_a_proof(pages: PagesAlone) -> None:
    lines = proven(true_export())
    choose(pages, lines)
    checked = pages.page.locator(".checks li").nth(7)
    assert f"Leaf 1 of 2 in {ORIGIN}. Whether the record has signed" in checked.inner_text()
    pages.page.fill("#record-key", f" {SIGNER.key.text}")
    choose(pages, lines, "signed.ndjson")
    assert "The given key has signed its checkpoint." in checked.inner_text()
    wrong = [*lines[:-1], lines[-1].replace(b"index 1", b"index 0")]
    choose(pages, wrong, "wrong.ndjson")
    refusal = pages.page.inner_text("#verdict .problem")
    assert refusal.startswith(f"Line {len(lines)}: The proof does not lead from the leaf")
    pages.page.fill("#record-key", STRANGER.key.text)
    choose(pages, lines, "stranger.ndjson")
    assert "is of another record than the given key" in pages.page.inner_text("#verdict .problem")
    choose(pages, true_export(), "plain.ndjson")
    assert "has no proof from the record" in pages.page.inner_text("#verdict .problem")
    pages.page.fill("#record-key", "games.example/record")
    file: FilePayload = {"name": "x.ndjson", "mimeType": "text/plain", "buffer": b"".join(lines)}
    pages.page.set_input_files("#file", file)
    pages.page.get_by_text("That is no key of a record.").wait_for()
    assert pages.asked == []


# -- the badge ------------------------------------------------------------------------------------


def badge(pages: PagesAlone, lines: list[bytes], proof: bytes | None = None, **given: Any) -> str:
    """The words of the badge about an export that a server answers with."""
    game = played().plan.game
    pages.answers |= {
        f"GET /games/{game}/export": b"".join(lines),
        f"GET /games/{game}/record": proof or true_proof(),
        f"GET /games/{game}/proof": lambda: {"level": 2},
        "POST /verifications": lambda: {"is_good": True, "is_signed": True},
    }
    pages.asked.clear()
    element = pages.put("fairnessBadge", "fairness.js", game=game, **given)
    assert "Checked here" not in element.inner_text()
    element.get_by_role("button", name="Check fairness here").click()
    element.get_by_role("link", name="All checks").wait_for()
    export, *more = pages.asked
    assert export == f"GET /games/{game}/export"
    assert more in ([], [f"GET /games/{game}/record"])
    return element.get_by_role("status").inner_text()


def test_the_badge_is_of_this_browser(pages: PagesAlone) -> None:
    count = len(played().rows)
    known = [{"seq": row.seq, "hash": row.hash} for row in played().rows]
    said = badge(pages, true_export(), known=known)
    assert said.startswith(f"Checked here: {count} entries, secret opened, ")
    assert "In the record as leaf 1, checkpoint of size 2." in said


def test_the_badge_refuses_a_wrong_proof(pages: PagesAlone) -> None:
    wrong = true_proof().replace(b"index 1", b"index 0")
    said = badge(pages, true_export(), proof=wrong)
    assert "REFUSED" in said
    assert "does not lead from the leaf of this game" in said


def test_the_badge_of_a_running_game_asks_for_no_proof(pages: PagesAlone) -> None:
    running = play_plan(new_plan(ENGINES[SLUG], 2, 3, has_seeds=True, stops_at=20))
    assert badge(pages, running.lines("onlooker")).startswith("Checked here so far")
    assert len(pages.asked) == 1


def test_a_forged_export_never_has_a_badge(pages: PagesAlone) -> None:
    for name in ("another draw", "a signature", "another secret"):
        forge, words = FORGERIES[name]
        said = badge(pages, forge())
        assert said.startswith("REFUSED: Line ")
        assert words in said
        assert "Checked here" not in pages.page.inner_text("body")


def test_an_export_of_another_log_or_game_has_no_badge(pages: PagesAlone) -> None:
    shown = [{"seq": 5, "hash": "ab" * 32}]
    assert "the log was rewritten" in badge(pages, true_export(), known=shown)
    other = people_game(ENGINES[SLUG], 4).lines("onlooker")
    assert "the export of another game" in badge(pages, other)
