"""Pages of rows that can be looked at and not changed, at a cost that does not grow with tables."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.admin import ModelAdmin
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

from desk.record import record

MOST_LISTED: Final = 1_000  # rows: older ones are found by their ids


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of the first rows, which are all that it counts."""

    @cached_property
    def count(self) -> int:
        """The number of rows, as far as they are listed."""
        rows: Any = self.object_list
        return int(rows[:MOST_LISTED].count())


class ReadOnlyPages(ModelAdmin):  # type: ignore[type-arg]
    """The list of a model, newest first, and a page of each row."""

    actions = None
    paginator = BoundedPaginator
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    ordering = ("-pk",)
    sortable_by = ()
    search_fields = ("pk__exact",)
    search_help_text = f"A whole id. The {MOST_LISTED} newest are listed."
    view_on_site = False

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is deleted here."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Whether the caller is staff."""
        return self.admin_site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the model stands on the first page."""
        return self.has_view_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list, and its record."""
        self.note(request, "list", self.opts.model_name or "", request.GET.get("q", ""))
        return super().changelist_view(request, extra_context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page of a row, and its record."""
        self.note(request, "look", object_id, self.opts.model_name or "")
        return super().change_view(request, object_id, form_url, extra_context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """The page of the row: it has no history of changes here."""
        return self.change_view(request, object_id, "", extra_context)

    @staticmethod
    def note(request: HttpRequest, action: str, target: str, detail: str = "") -> None:
        """Record an action of the caller."""
        user: Any = request.user
        record(user.get_username(), action, target, detail)
