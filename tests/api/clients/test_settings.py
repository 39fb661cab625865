"""The settings of generators that are not their defaults: the pages list them, and the document
shows why the generator for Go needs its two."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Final

from api.schema import openapi_document
from tests.api.clients.generating import SETTINGS
from tests.support.databases import ROOT

GO_SETTINGS: Final = {"enumClassPrefix", "useOneOfDiscriminatorLookup"}


def schemas() -> dict[str, Any]:
    """The named schemas of the document."""
    named: dict[str, Any] = openapi_document()["components"]["schemas"]
    return named


def test_the_page_lists_the_same_settings() -> None:
    page = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
    _, _, table = page.partition("These settings are not their defaults")
    listed = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| openapi-")]
    shown = [(generator.split()[0], setting.strip(" `")) for generator, setting in listed]
    expected = []
    for generator, settings in SETTINGS.items():
        for setting in settings:
            value = setting["value"]
            text = f"{setting['name']}=true" if value is True else f"{setting['name']}: {value}"
            expected.append((generator, text))
    assert shown == expected
    assert {setting["name"] for setting in SETTINGS["openapi-generator"]} == GO_SETTINGS


def test_enumerations_share_values() -> None:
    """So the constants of Go need a prefix."""
    holders = Counter(
        value
        for schema in schemas().values()
        for value in schema.get("enum", ())
        if isinstance(value, str)
    )
    assert sum(count > 1 for count in holders.values()) > 100


def test_actions_differ_by_nothing_but_the_constant_in_their_type() -> None:
    """So a client that does not compare constants needs the discriminator."""
    named = schemas()
    alike = defaultdict(list)
    for reference in named["Action"]["oneOf"]:
        name = reference["$ref"].rpartition("/")[2]
        alike[frozenset(named[name].get("properties", ()))].append(name)
    assert {"LawOfTheDiceDraw", "LawOfTheDiceRoll"} <= set(alike[frozenset({"type"})])
