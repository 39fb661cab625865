"""A complete bot: plays a game to its end and verifies it, surviving kills and lost replies.
`python3 examples/bot.py http://127.0.0.1:8000`; docs/write-a-bot.md explains it."""

import json
import os
import subprocess
import sys
from http.client import HTTPException
from pathlib import Path
from time import sleep
from urllib.error import HTTPError
from urllib.request import Request, urlopen

STATE = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tabularium"
VERIFIER = Path(__file__).resolve().parent.parent / "docs" / "verify.py"
WAIT = {"Prefer": "wait=20"}  # seconds that the server may hold a reply until there is news
GAME = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}


class Bot:
    def __init__(self, server, file, choose, path="/games", body=GAME):
        self.api, self.choose = server + "/api/v1", choose
        self.file = STATE / server.partition("//")[2].replace(":", "_") / file
        self.file.parent.mkdir(0o700, parents=True, exist_ok=True)
        self.table = path, body  # the game to create if there is none yet
        self.kept = json.loads(self.file.read_text()) if self.file.exists() else {}

    def keep(self, **news):
        self.kept.update(news)
        new = self.file.with_suffix(".new")
        with open(new, "w", opener=lambda *call: os.open(*call, 0o600)) as file:  # has the key
            json.dump(self.kept, file)
        new.replace(self.file)  # atomic: a kill leaves a complete file

    def ask(self, method, path, body=None, headers=(), read=json.load):
        known = {"Content-Type": "application/json", **dict(headers)}
        if "key" in self.kept:
            known["Authorization"] = "Bearer " + self.kept["key"]
        content = json.dumps(body or {}).encode() if method == "POST" else None
        request = Request(self.api + path, content, known, method=method)
        with urlopen(request, timeout=40) as reply:
            return read(reply)

    def play(self, pause=0.1):
        if self.kept.get("is_verified"):
            print(f"{self.kept['game']} is over and verified. To play again, delete {self.file}")
        while not self.kept.get("is_verified"):
            try:
                self.step("/games/" + self.kept.get("game", ""))
                pause = 0.05
            except HTTPError as problem:
                if problem.code == 409 and self.kept.get("due"):
                    self.keep(due=None)  # that choice is no longer open: look again
                elif problem.code != 429 and problem.code < 500:
                    hint = f"To begin anew, delete {self.file}"
                    raise SystemExit(f"{problem.read().decode()}\n{hint}") from None
                sleep(float(problem.headers.get("Retry-After", pause)))
            except (OSError, HTTPException):
                sleep(pause)
            pause = min(2 * pause, 10)

    def answer(self, view, choice):
        """The offer to take; None: none now, which is allowed if the game does not wait."""
        return self.choose(view, choice["offers"]) if choice["is_awaited"] else None

    def step(self, game):
        """Take the next step. A step that was lost or killed is repeated."""
        if "key" not in self.kept:
            self.keep(key=self.ask("POST", "/guests")["secret"])
        elif "game" not in self.kept:  # it may exist although the reply was lost
            mine = self.ask("GET", "/me/games")["items"] or [self.ask("POST", *self.table)]
            self.keep(game=mine[0]["id"])
        elif self.kept.get("due"):  # safe to repeat: its choice is open only once
            done = self.ask("POST", game + "/actions", self.kept["due"], WAIT)
            with self.file.with_suffix(".receipts").open("a") as receipts:
                receipts.write(json.dumps(done["receipt"]) + "\n")
            self.keep(due=None)
        elif (seen := self.ask("GET", game))["phase"] == "over":
            export = self.file.with_suffix(".ndjson")
            export.write_bytes(self.ask("GET", game + "/export", read=lambda reply: reply.read()))
            kept = ["--receipts", self.file.with_suffix(".receipts")]
            subprocess.run([sys.executable, VERIFIER, export, *kept], check=True)
            self.keep(is_verified=True)
        elif (choice := seen["choice"]) and (offer := self.answer(seen["view"], choice)):
            due = {"seat": choice["seat"], "choice": choice["token"]}  # kept first, then sent
            self.keep(due={**due, "action": offer["action"]})
        else:
            self.ask("GET", f"{game}/log?after={seen['seq']}&limit=1", None, WAIT)


if __name__ == "__main__":
    Bot(sys.argv[1], "bot.json", lambda view, offers: offers[0]).play()
