"""Choices and pages as a model reads them: each offer can be found, and a number means one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from games.selectors.choices import offers_of
from tabularium_client.mcp_server.choices import OFFERS_ROOM, Page, beginnings, choice_document
from tabularium_client.mcp_server.pages import CHANGES_ROOM, changes, compact
from tabularium_client.mcp_server.play import STALE, chosen
from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises import random_games

TOKEN: Final = "0" * 22


def choice_of(*labels: str, forms: Any = ()) -> Any:
    """A choice with offers of these labels."""
    offers = [{"action": {"type": label}, "label": label, "after": None} for label in labels]
    return {
        "token": TOKEN,
        "seat": 0,
        "is_awaited": True,
        "offers": offers,
        "forms": list(forms),
    }


def largest_choices(slug: str) -> Iterator[Any]:
    """The largest choices of a random game."""
    engine = ENGINES[slug]
    game = random_games.play(engine, engine.about.options(), engine.about.seats[0], 1)
    found = [
        (position.state, seat, engine.offered_actions(position.state, seat))
        for position in game.sample(30)
        for seat in engine.awaited_seats(position.state)
    ]
    for state, seat, codes in sorted(found, key=lambda each: -len(each[2]))[:5]:
        offers = offers_of(engine, state, seat, codes, has_foresight=False)
        yield choice_of(*[offer.label for offer in offers])


def numbers(lines: list[str]) -> list[int]:
    """The numbers of offers."""
    return [int(line.split()[0]) for line in lines]


@pytest.mark.parametrize("slug", ENGINES)
def test_each_offer_is_on_a_page_and_below_a_beginning(slug: str) -> None:
    for choice in largest_choices(slug):
        everything = list(range(len(choice["offers"])))
        found: list[int] = []
        while len(found) < len(everything):
            document = choice_document(choice, Page(first=len(found)))
            found += numbers(document["offers"])
            assert document.get("next_first", len(everything)) == len(found)
        assert found == everything
        for begin, count in choice_document(choice).get("beginnings", {}).items():
            assert choice_document(choice, Page(begin))["count"] >= count > 1


@pytest.mark.parametrize("slug", ENGINES)
def test_a_choice_of_any_size_is_short(slug: str) -> None:
    for choice in largest_choices(slug):
        assert len(str(choice_document(choice)).encode()) < 3 * OFFERS_ROOM


def test_a_number_is_that_of_the_whole_choice() -> None:
    choice = choice_of("Draw", "Play 7♠", "Play 8♠", "play on")
    document = choice_document(choice, Page("PLAY", first=1))
    assert (document["offers"], document["count"]) == (["2 Play 8♠", "3 play on"], 3)
    (detailed,) = choice_document(choice, Page("on", has_details=True))["offers"]
    assert detailed == {"offer": 3, "label": "play on", "action": {"type": "play on"}}


def test_the_largest_group_is_divided() -> None:
    labels = [f"Lay {card} at {place}" for card in range(3) for place in range(20)]
    groups = beginnings({n: tuple(label.split()) for n, label in enumerate([*labels, "Pass"])})
    assert {" ".join(begin): len(group) for begin, group in groups.items()} == {
        "Lay 0": 20,
        "Lay 1": 20,
        "Lay 2": 20,
        "Pass": 1,
    }


# -- ways to state an action ----------------------------------------------------------------------


def test_a_number_counts_for_its_choice_alone() -> None:
    choice = choice_of("Draw", "Pass")
    assert chosen(choice, TOKEN, {"offer": 1}) == {"type": "Pass"}
    assert chosen(choice, "another", {"offer": 1}) is STALE


def test_words_and_documents() -> None:
    choice = choice_of("Pass", forms=[{"type": "claim", "member": "law", "title": "The law"}])
    assert choice_document(choice)["words"] == ["The law"]
    assert chosen(choice, TOKEN, {"words": "w"}) == {"type": "claim", "law": "w"}
    assert chosen(choice, "another", {"words": "w"}) is STALE
    assert chosen(choice, "another", {"action": {"type": "x"}}) == {"type": "x"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "no-action"),
        ({"offer": 0, "action": {}}, "no-action"),
        ({"offer": 2}, "no-offer"),
        ({"offer": -1}, "no-offer"),
        ({"words": "w"}, "no-words"),
    ],
)
def test_other_ways_are_refused(arguments: Any, code: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        chosen(choice_of("Draw", "Pass"), TOKEN, arguments)
    assert refused.value.code == code


# -- pages ----------------------------------------------------------------------------------------


def test_rules_across_a_page_are_short() -> None:
    assert compact("a  \n" + 80 * "─" + "\nb\n") == "a\n──\nb"


def test_changes_stand_below_the_line_above() -> None:
    before, now = "a\nb\n\nc\nd\ne\nf", "a\nB\n\nc\nd\ne\nF"
    assert changes(before, now) == "a\nB\n…\ne\nF"
    assert changes(now, now) == ""


def test_many_changes_are_cut() -> None:
    lines = changes("", "\n".join(f"line {n}" for n in range(200))).splitlines()
    assert lines[0] == "line 0"
    assert lines[-1] == f"… and {201 - len(lines)} more lines: look without `since`."
    assert len("\n".join(lines)) < CHANGES_ROOM + 60
