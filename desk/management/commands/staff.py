"""`manage.py staff`: the people who may open the desk."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from desk.record import record_by_operator

ACTIONS = ("add", "remove", "list")


def new_password() -> str:
    """A password, asked for twice at a terminal; else the first line of the standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass("Password: ")
    if getpass("Again: ") != password:
        raise CommandError("The two differ: nothing is changed.")
    return password


class Command(BaseCommand):
    help = "Let a person open the desk (or give them a new password and device), or no longer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument("name", nargs="?", help="of the person, to add or to remove")

    def handle(self, *_: Any, action: str, name: str | None, **__: Any) -> None:
        if action == "list":
            for user in User.objects.filter(is_staff=True).order_by("username"):
                seen = f"{user.last_login:%Y-%m-%d %H:%M} UTC" if user.last_login else "never"
                self.stdout.write(f"{user.username}  last log-in: {seen}")
            return
        if not name:
            raise CommandError(f"Name the person to {action}.")
        (self.add if action == "add" else self.remove)(name)

    def add(self, name: str) -> None:
        """Add a person, or replace their password and device: the former ones are void."""
        password = new_password()
        user = User(username=name, is_staff=True)
        try:
            validate_password(password, user)
            user.clean_fields(exclude=("password",))
        except ValidationError as problem:
            raise CommandError(" ".join(problem.messages)) from problem
        with transaction.atomic():
            user, _ = User.objects.update_or_create(username=name, defaults={"is_staff": True})
            user.set_password(password)  # which also ends the sessions
            user.save()
            TOTPDevice.objects.filter(user=user).delete()
            device = TOTPDevice.objects.create(user=user, name="desk")
            record_by_operator("staff-add", name)
        self.stdout.write("Put this into an authenticator; it is shown once:")
        self.stdout.write(device.config_url)

    def remove(self, name: str) -> None:
        """Remove a person; their sessions end."""
        with transaction.atomic():
            removed, _ = User.objects.filter(username=name, is_staff=True).delete()
            if not removed:
                raise CommandError(f"{name} is not among the staff.")
            record_by_operator("staff-remove", name)
        self.stdout.write(f"{name} can no longer open the desk.")
