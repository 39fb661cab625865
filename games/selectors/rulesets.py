"""Rulesets that are installed here, and the package that a missing one came from."""

from __future__ import annotations

from django.db.models import Q

from games.models import InstalledRuleset
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import Ruleset


def has_installed_rules() -> Q:
    """Filter: games whose rules are installed here."""
    conditions = [Q(rules=slug, version=version) for slug, version in registry.RULESETS]
    return Q(*conditions, _connector=Q.OR) if conditions else Q(pk__in=())


def package_of(ruleset: Ruleset) -> str | None:
    """The package that brought a ruleset; None if it never was installed here."""
    rows = InstalledRuleset.objects.filter(slug=ruleset.slug, version=ruleset.version)
    return rows.values_list("package", flat=True).first()
