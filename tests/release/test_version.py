"""The version of this checkout: one for all that is released, with a section in the changelog."""

from __future__ import annotations

import pytest

from release import refusals


def test_it_is_the_same_everywhere_and_in_the_changelog() -> None:
    assert not list(refusals.disagreements())
    assert refusals.version_in("clients/typescript/package.json") != "none"


def test_notes_are_the_section_of_a_version_alone() -> None:
    assert refusals.release_notes("0.1.0").startswith("The first release.")
    assert "\n## " not in refusals.release_notes("0.2.0")
    assert not refusals.release_notes("0.2")


def test_a_client_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "version_in", lambda name: name.partition("/")[0])
    differing, missing = refusals.disagreements()
    assert "tabularium_log in tabularium_log/pyproject.toml" in differing
    assert missing.startswith("CHANGELOG.md has no section `## pyproject.toml")
