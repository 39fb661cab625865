"""Going back to an earlier release: the tables of each (`config/releases.json`), what has no place
in them, and the way back to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import Q

from config.backups import sqlite_file
from games.models import Game
from tabularium_engines.installed import registry

RELEASES_FILE: Final = Path(__file__).with_name("releases.json")
APPS: Final = ("ai", "api", "games", "jobs", "record")  # those of packages keep their tables
NOT_LISTED: Final = frozenset(
    (
        "games_entry",  # their migration moves both as they are
        "games_oldentry",
        "games_installedruleset",  # written again by each start
        "games_game.proposal",  # follows from the log
        "api_replay.caller",  # matters while the replay is drawn
    )
)
OTHER_USERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
"""


class DowngradeRefused(Exception):
    """A sentence that gives the reason."""


class Release(NamedTuple):
    """The tables and rulesets of a release."""

    migrations: Mapping[str, str]  # the last one of each app
    rulesets: Mapping[str, list[int]]  # the versions of each game's rules


class Loss(NamedTuple):
    """Rows that keep less, or nothing, in the tables of another release."""

    rows: int
    of: str

    def __str__(self) -> str:
        return f"{self.rows} {self.of}"


def releases() -> dict[str, Release]:
    """All releases by their versions, the oldest first."""
    return {
        version: Release(**stated)
        for version, stated in json.loads(RELEASES_FILE.read_text(encoding="utf-8")).items()
    }


def find_release(version: str) -> Release:
    """A release, by its version."""
    known = releases()
    if version not in known:
        raise DowngradeRefused(f"{version} is none of the releases {', '.join(known)}.")
    return known[version]


def release_here() -> Release:
    """The tables and rulesets of this code."""
    leaves = dict(MigrationLoader(None).graph.leaf_nodes())
    rulesets: dict[str, list[int]] = {}
    for slug, version in registry.project_rulesets():
        rulesets.setdefault(slug, []).append(version)
    return Release({app: leaves[app] for app in APPS}, rulesets)


def state_release(version: str) -> None:
    """Add the tables and rulesets of this code to the file, as those of a version."""
    stated = {other: release._asdict() for other, release in releases().items()}
    stated[version] = release_here()._asdict()
    RELEASES_FILE.write_text(f"{json.dumps(stated, indent=2)}\n", encoding="utf-8")


# -- what an earlier release has no place for -----------------------------------------------------


def losses(release: Release) -> Iterator[Loss]:
    """The rows that keep less, or nothing, in the tables of a release."""
    loader = MigrationLoader(connection)
    applied = [node for node in loader.applied_migrations if node[0] in APPS]
    now, then = (
        loader.project_state(nodes).apps.get_models()
        for nodes in (applied, list(release.migrations.items()))
    )
    former = {model._meta.db_table: model for model in then}
    for model in now:
        table = model._meta.db_table
        if table in NOT_LISTED:
            continue
        if table in former:
            yield from _shorter_rows(model, former[table])
        else:
            yield Loss(model._default_manager.count(), str(model._meta.verbose_name_plural))


def _shorter_rows(model: type[models.Model], former: type[models.Model]) -> Iterator[Loss]:
    """The rows with a value for which an earlier form of their table has no place."""
    columns = {field.column: field for field in former._meta.local_concrete_fields}
    for field in model._meta.local_concrete_fields:
        there = columns.get(field.column)
        if f"{model._meta.db_table}.{field.column}" in NOT_LISTED:
            continue
        if there is None:
            lost = ~Q(**{field.attname: field.get_default()}) & Q(
                **{f"{field.name}__isnull": False}
            )
        elif field.null and not there.null:
            lost = Q(**{f"{field.name}__isnull": True})
        else:
            continue
        yield Loss(
            model._default_manager.filter(lost).count(),
            f"{model._meta.verbose_name_plural}: their {field.verbose_name}",
        )


def games_standing_still(release: Release) -> int:
    """The number of games under rulesets that are not in a release, and that are not over."""
    lacking = [
        ruleset
        for ruleset in registry.project_rulesets()
        if ruleset.version not in release.rulesets.get(ruleset.slug, ())
    ]
    unfinished = Game.objects.exclude(phase="over")
    return sum(unfinished.filter(rules=slug, version=version).count() for slug, version in lacking)


# -- the way back ----------------------------------------------------------------------------------


def go_back(release: Release) -> None:
    """Give the database the tables of a release. Interrupted, it goes on where it was."""
    executor = MigrationExecutor(connection)
    targets = [(app, release.migrations.get(app)) for app in APPS]
    if not all(is_backwards for _, is_backwards in executor.migration_plan(targets)):
        raise DowngradeRefused("The database is older: start that release, which migrates it.")
    executor.migrate(targets)


def refuse_other_users() -> None:
    """Refuse to go on beside a server, which would write into tables that change."""
    if connection.vendor == "sqlite":
        connection.close()
        sqlite_file.refuse_other_users(Path(connection.settings_dict["NAME"]))
        return
    with connection.cursor() as cursor:
        cursor.execute(OTHER_USERS)
        (others,) = cursor.fetchone()
    if others:
        raise DowngradeRefused(
            f"{others} other connections use the database: stop the server first."
        )
