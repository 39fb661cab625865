"""The site of the desk: staff with a password and a one-time code may look."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from django import forms
from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.http import Http404, HttpRequest, HttpResponse
from django_otp import devices_for_user
from django_otp.forms import OTPAuthenticationFormMixin

from api.errors import problem_response
from api.limits.client_address import client_address_of
from api.limits.rate_limiting import configured_buckets
from api.limits.token_buckets import RateLimit

LOGINS: Final = RateLimit("desk", 20, 600)  # attempts of an address


class LoginForm(OTPAuthenticationFormMixin, AdminAuthenticationForm):  # type: ignore[misc]
    """A name, a password and a one-time code."""

    otp_token = forms.CharField(
        label="One-time code",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def clean(self) -> dict[str, Any]:
        """Check the code after the password."""
        cleaned: dict[str, Any] = super().clean()
        self.clean_otp(self.get_user())
        return cleaned

    def _chosen_device(self, user: Any) -> Any:
        """The device of a member of staff, who has one."""
        return next(iter(devices_for_user(user, for_verify=True)), None)

    def _update_form(self, user: Any) -> None:
        """After a wrong code: the password is not sent back."""


class Desk(AdminSite):
    """The administration, without a way to change anything."""

    site_title = site_header = index_title = "Tabularium: the desk"
    site_url = None
    enable_nav_sidebar = False
    login_form = LoginForm
    login_template = "desk/login.html"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the caller is staff and has given a one-time code."""
        user: Any = request.user
        return bool(user.is_active and user.is_staff and user.is_verified())

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The page to log in, and the log-in; each address has some attempts."""
        if request.method == "POST" and settings.LIMITS:
            verdict = configured_buckets().take(LOGINS, client_address_of(request.META))
            if not verdict.is_granted:
                response = problem_response("too-many-requests", limit=LOGINS.name)
                response["Retry-After"] = str(verdict.retry_after)
                return response
        response = super().login(request, extra_context)
        assert isinstance(response, HttpResponse)
        return response

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> NoReturn:
        """Nowhere: passwords are set in the terminal."""
        raise Http404
