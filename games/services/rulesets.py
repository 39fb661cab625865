"""The record of installed rulesets, written whenever the database is migrated: it still names the
package of a ruleset after that package was removed."""

from __future__ import annotations

from django.db import connection

from games.models import InstalledRuleset
from tabularium_engines.installed import registry


def record_rulesets() -> None:
    """Record every installed ruleset with its package, unless the table is yet to be made."""
    if InstalledRuleset._meta.db_table not in connection.introspection.table_names():
        return
    InstalledRuleset.objects.bulk_create(
        [
            InstalledRuleset(
                slug=ruleset.slug,
                version=ruleset.version,
                package=registry.package_of_installed(ruleset),
            )
            for ruleset in registry.RULESETS
        ],
        update_conflicts=True,
        unique_fields=["slug", "version"],
        update_fields=["package"],
    )
