"""No index is kept whose work another one does."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.stores


class Index(NamedTuple):
    """An index of all rows of a table."""

    name: str
    columns: tuple[str, ...]
    is_unique: bool


def indexes_of(model: Any) -> list[Index]:
    """The indexes of a model's table that have no condition, which the database would name."""
    named = [*model._meta.indexes, *model._meta.constraints]
    partial = {each.name for each in named if getattr(each, "condition", None)}
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    return [
        Index(name, tuple(each["columns"]), each["unique"])
        for name, each in found.items()
        if (each["index"] or each["unique"]) and each["columns"] and name not in partial
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("model", apps.get_models(), ids=lambda model: model._meta.label)
def test_no_index_begins_another(model: Any) -> None:
    indexes = indexes_of(model)
    for index in indexes:
        others = [other for other in indexes if other != index]
        width = len(index.columns)
        assert index.is_unique or not [
            other for other in others if other.columns[:width] == index.columns
        ], index
