"""Debian's Firefox by Marionette, through which WebDriver reaches Firefox: the driver between is no
package of Debian, and Playwright's own needs a later Firefox."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from tests.config.processes import PATIENCE

PREFERENCES: Final = {
    "marionette.port": 0,  # any that is free; it stands in PORT_FILE then
    "ui.primaryPointerCapabilities": 6,  # a mouse: fine, and hovers
    "ui.allPointerCapabilities": 6,
    "network.disable-localhost-when-offline": True,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
PORT_FILE: Final = "MarionetteActivePort"
FLAGS: Final = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name of a reference
KEYS: Final = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "End": "\ue010",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
COMPLAINTS: Final = """
const [address] = arguments;
const isOfPage = (text) => (text ?? "").startsWith(address);
const messages = Services.console.getMessageArray().filter(
  (message) => message instanceof Ci.nsIScriptError && isOfPage(message.sourceName)
);
const storage = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage);
const said = storage.getEvents().filter(
  ({ level, filename }) => ["error", "warn"].includes(level) && isOfPage(filename)
);
Services.console.reset();
storage.clearEvents();
return [
  ...messages.map(({ errorMessage, sourceName }) => `${errorMessage} (${sourceName})`),
  ...said.map((event) => event.arguments.map(String).join(" ")),
];
"""


class Firefox:
    """A running browser: its commands, and its one window as a page."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self._numbers = count(1)
        self._receive()  # who speaks
        self.send("WebDriver:NewSession", capabilities={})
        self.keyboard = Keyboard(self)

    def send(self, command: str, **parameters: Any) -> Any:
        """The result of a command."""
        message = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _receive(self) -> Any:
        length = b""
        while (digit := self._file.read(1)) != b":":
            if not digit:
                raise RuntimeError("Firefox has ended.")
            length += digit
        return json.loads(self._file.read(int(length)))

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._socket.close()

    # -- as a page of Playwright -------------------------------------------------------------------

    def goto(self, url: str) -> None:
        """Open an address."""
        self.send("WebDriver:Navigate", url=url)

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """The result of a function in the page, also of one that comes later."""
        script = f"return ({expression})(arguments[0]);"
        return self.send("WebDriver:ExecuteScript", script=script, args=[arg])

    def wait_for_timeout(self, timeout: float) -> None:
        """Wait as many milliseconds."""
        sleep(timeout / 1000)

    # -- beyond ------------------------------------------------------------------------------------

    def choose_file(self, selector: str, path: Path) -> None:
        """Choose a file for an input."""
        found = self.send("WebDriver:FindElement", using="css selector", value=selector)
        self.send("WebDriver:ElementSendKeys", id=found[ELEMENT], text=str(path))

    def run_in_browser(self, script: str, *arguments: Any) -> Any:
        """The result of a script that may do all that the browser itself may."""
        self.send("Marionette:SetContext", value="chrome")
        try:
            return self.send("WebDriver:ExecuteScript", script=script, args=list(arguments))
        finally:
            self.send("Marionette:SetContext", value="content")

    def complaints(self, url: str) -> list[str]:
        """Errors and warnings of a server's pages since the last call, among them refusals of a
        content security policy."""
        return list(self.run_in_browser(COMPLAINTS, url))

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Within the block there is no network."""
        self.run_in_browser(
            "Services.io.offline = true;"
            "Services.obs.notifyObservers(null, 'net:cancel-all-connections');"  # with this machine
        )
        try:
            yield
        finally:
            self.run_in_browser("Services.io.offline = false")


class Keyboard:
    """Presses of keys."""

    def __init__(self, firefox: Firefox) -> None:
        self._firefox = firefox

    def press(self, key: str) -> None:
        """Press a key, with others held such as in `Control+A`."""
        keys = [KEYS.get(name, name.lower()) for name in key.split("+")]
        downs = [{"type": "keyDown", "value": each} for each in keys]
        self._perform([*downs, *({"type": "keyUp", "value": each} for each in reversed(keys))])

    def type(self, text: str) -> None:
        """Type a text."""
        kinds = ("keyDown", "keyUp")
        self._perform([{"type": kind, "value": letter} for letter in text for kind in kinds])

    def _perform(self, actions: list[dict[str, str]]) -> None:
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self._firefox.send("WebDriver:PerformActions", actions=[source])


@contextmanager
def running(path: str, profile: Path) -> Iterator[Firefox]:
    """A browser without a window, with a profile of its own."""
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items())
    profile.mkdir()
    (profile / "user.js").write_text("".join(lines))
    process = subprocess.Popen(
        [path, *FLAGS, "--profile", str(profile)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        firefox = Firefox(_port(profile / PORT_FILE, process))
        try:
            yield firefox
        finally:
            firefox.close()
    finally:
        process.terminate()
        process.wait()


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    """The port on which the browser listens, as soon as it does."""
    end = monotonic() + PATIENCE
    while monotonic() < end and process.poll() is None:
        with suppress(FileNotFoundError, ValueError):
            return int(file.read_text())
        sleep(0.05)
    raise RuntimeError("Firefox does not start.")
