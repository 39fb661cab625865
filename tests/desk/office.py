"""A server with a desk, its staff, and browsers that open it."""

from __future__ import annotations

import json
import re
import sys
from base64 import b32decode
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPConnection
from time import time
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from django_otp.oath import TOTP

from tests.config.processes import PATIENCE
from tests.support import warm_interpreter
from tests.support.databases import ROOT
from tests.support.served import Mortal

DESK: Final = "/desk-7f3a"
PASSWORD: Final = "a long and quiet evening"  # of these tests
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


class Page:
    """A reply to a browser."""

    def __init__(self, status: int, headers: Message, text: str) -> None:
        self.status = status
        self.headers = headers
        self.text = text


class Browser:
    """A browser with its cookies, at an address of its own."""

    def __init__(self, url: str, address: str = "203.0.113.1") -> None:
        self._host = urlsplit(url).netloc
        self._address = address
        self.cookies: dict[str, str] = {}
        self.flags: dict[str, str] = {}  # of each cookie

    def get(self, path: str, **headers: str) -> Page:
        """The page at a path of the desk."""
        return self._ask("GET", path, None, headers)

    def post(self, path: str, **fields: str) -> Page:
        """The reply to a form."""
        fields["csrfmiddlewaretoken"] = self.cookies.get("csrftoken", "")
        return self._ask("POST", path, urlencode(fields), FORM)

    def log_in(self, name: str, code: str, password: str = PASSWORD) -> Page:
        """The reply to a log-in: a redirection if it is right."""
        self.get("/login/")
        fields = {"username": name, "password": password, "otp_token": code}
        return self.post("/login/", **fields, next=f"{DESK}/")

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Page:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Cookie": cookies, "X-Forwarded-For": self._address}
        connection = HTTPConnection(self._host, timeout=PATIENCE)
        connection.request(method, DESK + path, body, {**own, **headers})
        response = connection.getresponse()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, value = cookie.partition(";")[0].split("=", 1)
            self.cookies[name], self.flags[name] = value, cookie
        page = Page(response.status, response.headers, response.read().decode())
        connection.close()
        return page


class Office:
    """The server, and the commands of its operator."""

    def __init__(self, served: Mortal) -> None:
        self.served = served
        self.account = served.post("/guests", {"name": "Ada <b>"})
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        game = {"rules": "duality", "seats": seats, "visibility": "private"}
        self.game = str(served.post("/games", game, self.account["secret"])["id"])
        hook = {"url": "https://example.com/hook", "kinds": ["game.over"]}
        self.webhook = served.post("/webhooks", hook, self.account["secret"])
        self._codes: dict[str, TOTP] = {}

    def manage(self, *arguments: str, typed: str = "") -> str:
        """Run a command; all that it prints."""
        command = [sys.executable, "manage.py", *arguments]
        environment = self.served.environment
        ran = warm_interpreter.run(
            command,
            cwd=ROOT,
            env=environment,
            input=typed,
            text=True,
            capture_output=True,
            check=False,  # refusals are printed, too
        )
        return str(ran.stdout + ran.stderr)

    def add(self, name: str) -> None:
        """Add a member of staff, whose authenticator takes the secret."""
        said = self.manage("staff", "add", name, typed=f"{PASSWORD}\n")
        (address,) = re.findall(r"otpauth://\S+", said)
        self._codes[name] = TOTP(b32decode(parse_qs(urlsplit(address).query)["secret"][0]))

    def code(self, name: str, wrong: int = 0) -> str:
        """The one-time code of this moment, or one beside it."""
        totp = self._codes[name]
        totp.time = time()
        return f"{(totp.token() + wrong) % 1_000_000:06}"

    def seated(self, name: str) -> Browser:
        """A browser in which a new member of staff has logged in."""
        self.add(name)
        browser = Browser(self.served.url)
        assert browser.log_in(name, self.code(name)).status == 302
        return browser

    def rows(self, expression: str) -> Any:
        """The value of an expression over the models of this server."""
        code = f"import json; from games.models import *; from api.models import *; print(json.dumps({expression}))"  # noqa: E501
        return json.loads(self.manage("shell", "--no-imports", "-c", code).splitlines()[-1])
