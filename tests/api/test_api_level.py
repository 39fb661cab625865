"""API levels: a released one stays as it is, its document is kept, and a changed API is the next
one."""

from __future__ import annotations

import json
import shutil
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from api import api_level, level_changes, schema
from api.api_level import API_LEVEL, STORED_LEVELS, Level, levels_including
from api.schema import openapi_document
from tests.support.databases import ROOT

RELEASED = api_level.released_levels()
LAST_DOCUMENT = api_level.level_document(len(RELEASED))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the files that the commands write, with the documents of released levels."""
    documents = shutil.copytree(api_level.DOCUMENTS_FOLDER, tmp_path / "levels")
    monkeypatch.setattr(api_level, "DOCUMENTS_FOLDER", documents)
    monkeypatch.setattr(api_level, "LEVEL_FILE", tmp_path / "level.json")
    monkeypatch.setattr(level_changes, "CHANGES_FILE", tmp_path / "changes.json")
    return tmp_path


def edited() -> dict[str, Any]:
    """A document of another API."""
    document = deepcopy(openapi_document())
    document["components"]["schemas"]["Me"]["required"].remove("name")
    return document


def test_the_level_is_that_of_the_document() -> None:
    """`make openapi` raises it."""
    document = openapi_document()
    assert levels_including(document) == STORED_LEVELS
    assert len({level.digest for level in STORED_LEVELS}) == API_LEVEL
    assert document["info"]["x-api-level"] == API_LEVEL
    assert Client().get("/api/v1").json()["api_level"] == API_LEVEL


def test_only_the_last_level_may_change() -> None:
    assert STORED_LEVELS[: len(RELEASED)] == RELEASED
    assert len(STORED_LEVELS) - len(RELEASED) in (0, 1)
    days = [level.released for level in RELEASED if level.released]
    assert days == sorted(days)


def test_a_changed_document_is_the_level_after_the_released_ones() -> None:
    changed = levels_including(edited())
    assert changed == (*RELEASED, Level(api_level.document_digest(edited())))
    assert levels_including(edited(), (*RELEASED, Level("draft"))) == changed
    assert levels_including(LAST_DOCUMENT, changed) == RELEASED


@pytest.mark.parametrize("number", range(1, len(RELEASED) + 1))
def test_the_document_of_each_released_level_is_kept(number: int) -> None:
    document = api_level.level_document(number)
    assert api_level.document_digest(document) == RELEASED[number - 1].digest
    assert api_level.described_api(document) == document


def test_history_has_the_same_released_levels() -> None:
    """As far as the repository's history is here."""
    path = "api/level.json"
    for commit in git("rev-list", "HEAD", "--", path).split():
        text = git("show", f"{commit}:{path}")
        if '"levels"' in text:
            earlier = api_level.released_levels(tuple(api_level.levels_in(text)))
            assert earlier == RELEASED[: len(earlier)], commit


def git(*arguments: str) -> str:
    """The output of git; empty outside of a repository."""
    command = ("git", "-C", str(ROOT), *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_a_released_level_is_not_replaced(files: Path) -> None:
    with pytest.raises(ValueError, match="A released level stays as it is"):
        api_level.store_levels((*RELEASED[:-1], Level("another")))
    with pytest.raises(ValueError, match="A released level stays as it is"):
        api_level.store_levels(RELEASED[:-1])
    assert [path.name for path in files.iterdir()] == ["levels"]


def test_raising_writes_the_level_of_the_document(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "openapi_document", edited)
    call_command("raise_api_level")
    text = (files / "level.json").read_text(encoding="utf-8")
    assert tuple(api_level.levels_in(text)) == levels_including(edited())
    changes = json.loads((files / "changes.json").read_text(encoding="utf-8"))["levels"][0]
    assert "Me.name: is optional" in [
        f"{one['place']}: {one['change']}" for one in changes["breaking"]
    ]
    assert "which is not released" in capsys.readouterr().out


def test_releasing_keeps_the_document(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = edited()
    drafted = levels_including(document)
    monkeypatch.setattr(schema, "openapi_document", lambda: document)
    monkeypatch.setattr(api_level, "STORED_LEVELS", drafted)
    call_command("release_api_level")
    text = (files / "level.json").read_text(encoding="utf-8")
    levels = tuple(api_level.levels_in(text))
    assert levels[:-1] == RELEASED
    assert levels[-1].digest == drafted[-1].digest
    assert levels[-1].released
    changes = json.loads((files / "changes.json").read_text(encoding="utf-8"))["levels"][0]
    assert changes["released"] == levels[-1].released.isoformat()
    assert api_level.level_document(len(levels)) == api_level.described_api(document)


def test_a_level_is_released_once_and_as_it_is(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "openapi_document", edited)
    with pytest.raises(CommandError, match="make openapi"):
        call_command("release_api_level")
    monkeypatch.setattr(schema, "openapi_document", lambda: LAST_DOCUMENT)
    monkeypatch.setattr(api_level, "STORED_LEVELS", RELEASED)
    with pytest.raises(CommandError, match="is released already"):
        call_command("release_api_level")
    assert [path.name for path in files.iterdir()] == ["levels"]
