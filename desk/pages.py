"""The models of the desk, with the columns that staff may read: no secret, no key, no hand."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.admin import TabularInline
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from api.models import Key, Webhook
from desk.read_only import ReadOnlyPages
from desk.site import Desk
from games import selectors
from games.models import Account, Game, Player, StaffAction

LOG_PAGE: Final = 100  # entries


class PlayerRows(TabularInline):  # type: ignore[type-arg]
    """The players of a game, on its page."""

    model = Player
    fields = readonly_fields = ("seat", "account", "bot", "is_account_deleted")
    ordering = ("seat",)
    extra = max_num = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the page itself."""
        return True


class GamePages(ReadOnlyPages):
    """Games, and the log of each as onlookers may read it."""

    list_display = ("id", "rules", "version", "phase", "visibility", "rated", "at")
    fields = readonly_fields = (
        *("id", "log", "owner", "rules", "version", "seats", "visibility", "rated", "phase"),
        *("seq", "hash", "at", "deadline"),
    )
    inlines = (PlayerRows,)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without the secrets."""
        return super().get_queryset(request).defer("secret")

    def get_urls(self) -> list[URLPattern]:
        """Also those of logs."""
        view = self.admin_site.admin_view(self.log_view)
        return [path("<str:game>/log/", view, name="games_game_log"), *super().get_urls()]

    def log(self, game: Game) -> SafeString:
        """A link to the log."""
        return format_html('<a href="{}">{} entries</a>', _log_address(game.pk), game.seq)

    def log_view(self, request: HttpRequest, game: str) -> HttpResponse:
        """A page of the log, as an onlooker reads it now."""
        row = self.get_object(request, game)
        if row is None:
            raise Http404
        self.note(request, "look", game, "log")
        sent = request.GET.get("after", "0")
        after = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else 0
        entries = selectors.game_log(game, None, after, LOG_PAGE)
        more = len(entries) == LOG_PAGE and entries[-1].seq < row.seq
        context = {
            **self.admin_site.each_context(request),
            "title": f"The log of {game}",
            "game": game,
            "game_address": reverse("admin:games_game_change", args=(game,)),
            "entries": entries,
            "next": entries[-1].seq if more else None,
        }
        return TemplateResponse(request, "desk/log.html", context)


def _log_address(game: str) -> str:
    return reverse("admin:games_game_log", args=(game,))


class AccountPages(ReadOnlyPages):
    """Accounts."""

    list_display = ("id", "name", "created", "banned")
    fields = readonly_fields = ("id", "name", "created", "banned", "ban_reason")


class KeyPages(ReadOnlyPages):
    """Keys of accounts, without their digests."""

    list_display = ("id", "account_id", "name", "created", "expires", "last_used")
    fields = readonly_fields = (
        *("id", "account", "name", "scopes", "created", "expires", "last_used", "parent"),
    )


class WebhookPages(ReadOnlyPages):
    """Webhooks, without their secrets."""

    list_display = ("id", "account_id", "url", "is_enabled")
    fields = readonly_fields = (
        *("id", "account", "url", "kinds", "is_enabled", "reason", "since", "created"),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without the secrets."""
        return super().get_queryset(request).defer("secret", "old_secret")


class StaffActionPages(ReadOnlyPages):
    """The actions of operators and staff."""

    list_display = ("at", "staff", "action", "target", "detail")
    fields = readonly_fields = ("at", "staff", "action", "target", "detail")
    search_fields = ("target__exact",)
    search_help_text = "A whole id of an account or a game."


desk = Desk(name="admin")  # the templates of Django know this name
desk.register(Game, GamePages)
desk.register(Account, AccountPages)
desk.register(Key, KeyPages)
desk.register(Webhook, WebhookPages)
desk.register(StaffAction, StaffActionPages)
