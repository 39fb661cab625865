"""The catalogue of problems: each has a stable code, a status, its own members, and a page that
explains it. The pages, the OpenAPI document and docs/errors.md are made from it or compared with
it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class ProblemKind:
    """One kind of problem."""

    status: int
    title: str
    meaning: str
    members: tuple[str, ...] = ()  # beyond those that every problem has

    @property
    def remedy(self) -> str:
        """The remedy, in general."""
        if self.status >= 500 or self.status in TEMPORARY_STATUSES:
            return SEND_AGAIN
        return READ_FIRST if self.status == 409 else CORRECT


TEMPORARY_STATUSES: Final = (408, 429)
SEND_AGAIN: Final = (
    "Send the same request again, after a growing pause or as long as `Retry-After` says: that is "
    "safe for every read, for actions, and under an `Idempotency-Key` for every POST."
)
READ_FIRST: Final = (
    "The same request is refused until something has changed: read the resource again, and decide "
    "anew."
)
CORRECT: Final = "The same request is always refused: correct it."

PROBLEM_KINDS: Final[Mapping[str, ProblemKind]] = {
    "bad-request": ProblemKind(
        400, "Bad request", "The request is malformed HTTP, or its `Host` header is not allowed."
    ),
    "invalid-json": ProblemKind(
        400, "Invalid JSON", "The body must be one JSON document in UTF-8."
    ),
    "invalid-parameter": ProblemKind(
        400,
        "Invalid query parameter",
        "`errors` lists each invalid parameter and its valid values.",
        members=("errors",),
    ),
    "unknown-parameter": ProblemKind(
        400,
        "Unknown query parameter",
        "Unknown parameters are refused, never silently ignored. `errors` names them.",
        members=("errors",),
    ),
    "not-found": ProblemKind(
        404,
        "Not found",
        "Not found, or you lack access.",
    ),
    "method-not-allowed": ProblemKind(
        405, "Method not allowed", "The `Allow` header lists the methods of this endpoint."
    ),
    "not-acceptable": ProblemKind(406, "Not acceptable", "No media type in `Accept` is supported."),
    "unsupported-media-type": ProblemKind(
        415, "Unsupported media type", "Send the body as `application/json`."
    ),
    "too-large": ProblemKind(413, "Body too large", "The detail states the maximum size."),
    "request-timeout": ProblemKind(
        408,
        "Request timeout",
        "The head must be complete within seconds, and the body must not stall.",
    ),
    "expectation-failed": ProblemKind(
        417, "Expectation failed", "`Expect` supports only `100-continue`."
    ),
    "head-too-large": ProblemKind(
        431, "Request head too large", "The lines of the head may have 16 kB in total."
    ),
    "not-implemented": ProblemKind(
        501, "Unsupported transfer coding", "`Transfer-Encoding` supports only `chunked`, once."
    ),
    "invalid-body": ProblemKind(
        400,
        "Invalid body",
        "`errors` points at the member that is missing, unknown or of the wrong type.",
        members=("errors",),
    ),
    "unauthorized": ProblemKind(
        401,
        "Authentication required",
        "Send `Authorization: Bearer tab_…`. `POST /api/v1/guests` creates a key at once.",
    ),
    "account-banned": ProblemKind(
        403, "Account banned", "The operator of this server refuses the keys of the account."
    ),
    "insufficient-scope": ProblemKind(
        403, "Insufficient scope", "Use a key with the scope named in the detail."
    ),
    "not-your-seat": ProblemKind(
        403, "Not your seat", "`your_seats` of the game lists the seats that you play."
    ),
    "not-your-game": ProblemKind(
        403, "Not your game", "Only the account that created or imported the game may do this."
    ),
    "not-challenged": ProblemKind(
        403,
        "Not challenged",
        "That seat does not wait for you: `GET /api/v1/me/games?challenged=true` lists those that "
        "do.",
    ),
    "not-your-analysis": ProblemKind(
        403, "Not your analysis", "Only the account that requested the analysis may cancel it."
    ),
    "no-thought": ProblemKind(
        404,
        "No thought",
        "No bot's decision is stored for this entry: the table or a player made it, a clock ran "
        "out, a bot failed, or the game was played elsewhere.",
    ),
    "unknown-entry": ProblemKind(
        404, "Unknown entry", "`seq` of the game is the number of its last entry."
    ),
    "not-your-turn": ProblemKind(
        409, "Not your turn", "`to_act` of the game lists the seats that must act."
    ),
    "stale-choice": ProblemKind(
        409,
        "Stale choice",
        "The game has changed since. `entries` lists the entries that you missed, and "
        "`choice` is the choice that is open now; nothing was appended.",
        members=("entries", "choice"),
    ),
    "game-over": ProblemKind(409, "Game over", "Its log is closed. You can fork the game."),
    "not-started": ProblemKind(
        409, "Game not started", "It starts when every seat is taken and every seed is open."
    ),
    "started": ProblemKind(409, "Game already started", "This is possible only before the start."),
    "not-over": ProblemKind(
        409,
        "Game not over",
        "Hidden information stays hidden until the game ends: fork your own view.",
    ),
    "not-recorded-yet": ProblemKind(
        409,
        "Not recorded yet",
        "No signed checkpoint of the public record has the game; the detail states the reason. "
        "`Retry-After` says when to ask again for one that is over.",
    ),
    "proposal-open": ProblemKind(
        409, "Proposal open", "Accept or decline the open `proposal` of the game first."
    ),
    "proposed-already": ProblemKind(
        409,
        "Proposed already",
        "A seat makes one proposal between two actions of the game: the game must go on first.",
    ),
    "wrong-proposal": ProblemKind(
        422,
        "Invalid proposal",
        "A takeback names the entry `to` return to, and no other proposal does.",
    ),
    "no-such-proposal": ProblemKind(
        409,
        "Proposal no longer open",
        "It was accepted, declined or withdrawn, or another person has acted since.",
    ),
    "accepted": ProblemKind(
        409, "Already accepted", "Your seat has accepted: the proposal waits for other people."
    ),
    "rated-proposal": ProblemKind(
        409,
        "Not in a rated game",
        "In a rated game people can agree on a draw or a pause, nothing else.",
    ),
    "no-draw": ProblemKind(
        409,
        "No draw possible",
        "A draw needs people on all seats, and rules by which players can share the victory.",
    ),
    "no-takeback": ProblemKind(
        409,
        "Nothing to take back",
        "`takebacks` of the game lists the entries to which your seat can return: your last "
        "actions, if they drew no card and sealed nothing, and no other seat has acted since.",
    ),
    "no-clock": ProblemKind(409, "No clock", "This table has no clock that a pause could stop."),
    "paused": ProblemKind(409, "Game paused", "Resume it first."),
    "not-paused": ProblemKind(409, "Game not paused", "There is no pause to end."),
    "too-late": ProblemKind(
        409, "Too late to abort", "A player has acted: resign, or propose to end the game."
    ),
    "rated-abort": ProblemKind(
        409, "Rated game counts", "A rated game counts from its deal: you can only resign."
    ),
    "has-clock": ProblemKind(
        409, "Table has a clock", "The clock removes players who are late: a claim is not needed."
    ),
    "not-late": ProblemKind(
        409, "Not waiting for this seat", "The table does not wait for another player on this seat."
    ),
    "in-time": ProblemKind(
        409, "Still in time", "A player can be claimed to have left after seven days of silence."
    ),
    "no-hints": ProblemKind(
        409,
        "No hints at this table",
        "Other people play, and the game was created without `hints`: analyse it once it is over.",
    ),
    "seat-taken": ProblemKind(409, "Seat taken", "`seats` of the game shows which seats are open."),
    "seat-free": ProblemKind(409, "Seat not taken", "The seat has no player who could do this."),
    "seat-kept": ProblemKind(
        403,
        "Seat reserved",
        "Send the `invitation` that you received. A `challenge` is for one account, and a "
        "`declined` one for the creator of the game.",
    ),
    "seats-open": ProblemKind(
        409, "Seats still open", "Seeds are opened when all seats are taken."
    ),
    "no-seed-due": ProblemKind(
        409, "No seed to open", "No seed hash was sent on joining, or the seed is already open."
    ),
    "game-exists": ProblemKind(
        409, "Game already exists", "A stored log is never replaced by another."
    ),
    "rated-clock": ProblemKind(
        422,
        "Rated game needs a clock",
        "Send a `clock` with `then` set to `resign` or `random`, so that no player "
        "can prevent the end of a rated game or let a bot win it. Each bot needs its "
        "`think_ms` plus 2,000 ms.",
    ),
    "rated-together": ProblemKind(
        422,
        "Cooperative games cannot be rated",
        "All seats of this game win together: the result ranks no player.",
    ),
    "rated-legs": ProblemKind(
        422,
        "Rated game needs two legs",
        "The player who begins has too large an advantage at this table: take the version and the "
        "options that `detail` names, in which each player begins once.",
    ),
    "rated-twice": ProblemKind(
        409, "Player already seated", "In a rated game, each account and each bot has one seat."
    ),
    "rated-substitute": ProblemKind(
        409,
        "No substitutes in a rated game",
        "You can resign a seat, but not hand it to a bot.",
    ),
    "rated-running": ProblemKind(
        409,
        "Rated game in progress",
        "A rated game can be forked and analysed only after it ends.",
    ),
    "unknown-rules": ProblemKind(
        422, "Unknown ruleset", "`GET /api/v1/rules` lists the available rulesets."
    ),
    "unknown-account": ProblemKind(
        422,
        "Unknown account",
        "A seat of the kind `account`, and no other, names an `account`: one that exists and was "
        "not deleted. `seats` of games and leaderboards have ids.",
        members=("errors",),
    ),
    "unknown-bot": ProblemKind(422, "Unknown bot", "`GET /api/v1/bots` lists the bots."),
    "wrong-account": ProblemKind(
        422,
        "Wrong account",
        "`account` confirms a deletion: it is the id of your own account, as `GET /me` shows it.",
        members=("errors",),
    ),
    "unknown-code": ProblemKind(
        422,
        "Unknown code",
        "A one-time code is valid once, and the code of a handover for five minutes only: ask for "
        "a new one with the key that is to be handed over.",
    ),
    "unknown-seat": ProblemKind(422, "Unknown seat", "Seats are numbered clockwise from 0."),
    "wrong-seats": ProblemKind(
        422,
        "Wrong number of players",
        "`seats` of the ruleset states how many can play.",
        members=("errors",),
    ),
    "bad-seed": ProblemKind(
        422, "Invalid seed", "A seed is 16 to 64 bytes in lower-case hexadecimal digits."
    ),
    "bad-seed-hash": ProblemKind(
        422,
        "Invalid seed hash",
        'Send the SHA-256 of "tabularium/seed/1" and the seed, in lower-case hexadecimal digits.',
    ),
    "wrong-seed": ProblemKind(422, "Wrong seed", "Open the seed whose hash was sent on joining."),
    "illegal-action": ProblemKind(
        422,
        "Illegal action",
        "`rule` is the stable code of the violated rule, and the detail explains it; "
        "nothing was appended.",
        members=("rule", "errors"),
    ),
    "bad-name": ProblemKind(
        422,
        "Invalid name",
        "A name has at most 60 characters (graphemes), and all of them are visible. That of an "
        "account may not look like a bot's or the staff's.",
        members=("errors",),
    ),
    "no-action": ProblemKind(422, "Missing action", "Send `action`, or a list as `actions`."),
    "invalid-options": ProblemKind(
        422,
        "Invalid options",
        "`schemas/options` of the ruleset lists the valid options.",
        members=("errors",),
    ),
    "invalid-question": ProblemKind(
        422,
        "Invalid analysis request",
        "`seat` and `seq` apply only to the analysis of a position; the detail names the mistake.",
        members=("errors",),
    ),
    "invalid-export": ProblemKind(
        422, "Invalid export", "The detail names the first invalid line."
    ),
    "too-costly": ProblemKind(
        422,
        "Export too costly to check",
        "The check exceeds the time or memory that the server allows for one export: "
        "verify it with `docs/verify.py`.",
    ),
    "idempotency-key-reused": ProblemKind(
        422, "Idempotency key reused", "Use a new `Idempotency-Key` for each request."
    ),
    "reply-expired": ProblemKind(
        410,
        "Stored reply expired",
        "The request with this `Idempotency-Key` was processed and is not repeated: "
        "read the current state, or use a new key for a new request.",
    ),
    "no-precondition": ProblemKind(
        428,
        "Missing precondition",
        "Send `choice`, the token of the choice that you answer, or `expected_seq`.",
    ),
    "key-rotated": ProblemKind(409, "Key already rotated", "The detail names the replacement key."),
    "too-many-keys": ProblemKind(409, "Too many keys", "Delete one that you no longer need."),
    "too-many-requests": ProblemKind(
        429,
        "Too many requests",
        "Wait as long as `Retry-After` states; `RateLimit` describes the limit.",
        members=("limit",),
    ),
    "too-many-games": ProblemKind(
        409, "Too many open games", "Finish, resign or cancel one of them."
    ),
    "code-changed": ProblemKind(
        410,
        "Code has changed",
        "The code of the bot or of the rules has changed since it decided, so that the decision "
        "cannot be repeated. The detail states the digest of the code that decided.",
    ),
    "too-many-challenges": ProblemKind(
        409,
        "Too many challenges",
        "The number of seats that wait for an account is limited, and so is the number of those "
        "that an account keeps for others: wait until some are taken or declined.",
    ),
    "too-many-analyses": ProblemKind(
        409, "Too many unfinished analyses", "Wait for one to finish, or cancel it."
    ),
    "too-many-imports": ProblemKind(
        409,
        "Too many imported games",
        "The number of imported games per account is limited, and imported games are "
        "never deleted.",
    ),
    "too-many-webhooks": ProblemKind(
        409, "Too many webhooks", "Delete one that you no longer need."
    ),
    "webhook-refused": ProblemKind(
        422,
        "Webhook URL refused",
        "A webhook URL is http or https, without user and password, on port 80, 443 "
        "or above 1023, and its host resolves to public addresses only.",
        members=("errors",),
    ),
    "webhook-disabled": ProblemKind(
        409, "Webhook disabled", "`reason` states why. PATCH it with `is_enabled` true first."
    ),
    "too-many-checks": ProblemKind(
        429,
        "Export check in progress",
        "Only one of your exports is checked at a time: wait for its response, and as "
        "long as `Retry-After` states.",
    ),
    "too-many-streams": ProblemKind(
        429, "Too many open streams", "Close one; the detail states the limit."
    ),
    "too-many-replays": ProblemKind(
        429,
        "Too many replays",
        "One at a time: wait until the other one that you asked for is drawn.",
    ),
    "too-many-connections": ProblemKind(
        429, "Too many connections", "The number of open connections per address is limited."
    ),
    "too-many-uploads": ProblemKind(
        429, "Too many uploads", "Wait until some of your uploads have finished."
    ),
    "overloaded": ProblemKind(503, "Server overloaded", "Nothing was done: try again later."),
    "ruleset-not-installed": ProblemKind(
        409,
        "Ruleset not installed",
        "The game is played by a version of its rules that is not installed here; `ruleset` "
        "names it and the package it came with. Its log, export and proof still answer; its "
        "views, pictures, choices and news do so again once the operator installs the package.",
        members=("ruleset",),
    ),
    "log-broken": ProblemKind(
        500,
        "Game log does not replay",
        "The detail names its first invalid entry. Nothing of the game is shown.",
    ),
    "game-locked": ProblemKind(
        500,
        "Game cannot be decrypted",
        "No sealing key of this server fits: its operator must restore the key with "
        "which the game was created. Nothing is lost.",
    ),
    "not-ready": ProblemKind(
        503,
        "Service not ready",
        "The database is unavailable, not migrated or not writable: try again later.",
    ),
    "drawings-busy": ProblemKind(
        503,
        "Too many drawings",
        "Too many pictures are being drawn. Nothing was done: try again as `Retry-After` states.",
    ),
    "png-not-installed": ProblemKind(
        501,
        "PNG not installed",
        "The server lacks the library that draws PNG: its operator installs the extra `png`. "
        "`picture.svg` shows the same.",
    ),
    "checks-busy": ProblemKind(
        503,
        "Too many export checks",
        "The number of concurrent checks is limited. Nothing was done: try again as "
        "`Retry-After` states.",
    ),
    "busy": ProblemKind(
        503, "Game busy", "Too many concurrent changes to this game. Nothing was done: try again."
    ),
    "unavailable": ProblemKind(
        503,
        "Service unavailable",
        "The database, the disk or the broker is unavailable. The detail states "
        "whether the request may have been processed: send it again after "
        "`Retry-After`, with the same `Idempotency-Key`.",
    ),
    "internal-error": ProblemKind(
        500,
        "Internal server error",
        "The server failed. The request may have been processed: check before you "
        "send it again. Report the failure with the `Request-Id` of the response.",
    ),
}
