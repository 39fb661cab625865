"""The catalogue of problems: each has a stable code, a status, and a page that explains it."""

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


PROBLEM_KINDS: Final[Mapping[str, ProblemKind]] = {
    "bad-request": ProblemKind(
        400, "The request cannot be understood", "Its HTTP is broken or names a foreign host."
    ),
    "invalid-json": ProblemKind(
        400, "The body is not JSON", "It must be one JSON document in UTF-8."
    ),
    "invalid-parameter": ProblemKind(
        400,
        "A query parameter has an impossible value",
        "`errors` points at each one and says what it may be.",
    ),
    "unknown-parameter": ProblemKind(
        400,
        "There is no such query parameter",
        "Nothing is ignored silently: a misspelt parameter is refused. `errors` names it.",
    ),
    "not-found": ProblemKind(
        404,
        "There is nothing here",
        "The address is wrong, or not for you to see.",
    ),
    "method-not-allowed": ProblemKind(
        405, "Not with this method", "The `Allow` header lists the methods of this address."
    ),
    "not-acceptable": ProblemKind(
        406, "Not in this form", "None of the media types in `Accept` can be made here."
    ),
    "unsupported-media-type": ProblemKind(
        415, "The body's media type is not understood", "Bodies are `application/json`."
    ),
    "too-large": ProblemKind(413, "The body is too large", "The detail says how large it may be."),
    "request-timeout": ProblemKind(
        408,
        "The request came too slowly",
        "Its head has to be whole within seconds, and its body may not stall.",
    ),
    "expectation-failed": ProblemKind(
        417, "The expectation cannot be met", "`Expect` may be `100-continue`, nothing else."
    ),
    "head-too-large": ProblemKind(
        431, "The head of the request is too large", "Its lines may have 16 kB in all."
    ),
    "not-implemented": ProblemKind(
        501, "The transfer coding is not known", "`Transfer-Encoding` may be `chunked`, once."
    ),
    "invalid-body": ProblemKind(
        400,
        "The body does not have the right shape",
        "`errors` points at the member that is missing, unknown or of another type.",
    ),
    "unauthorized": ProblemKind(
        401,
        "Who is asking?",
        "Send `Authorization: Bearer tab_…`. `POST /api/v1/guests` makes a key at once.",
    ),
    "insufficient-scope": ProblemKind(
        403, "The key is not for this", "Use a key with the scope that the detail names."
    ),
    "not-your-seat": ProblemKind(
        403, "Somebody else plays that seat", "`your_seats` of the game lists those you play."
    ),
    "not-your-game": ProblemKind(
        403, "Not your game", "Only the account that set it up, or imported it, may do that."
    ),
    "not-your-analysis": ProblemKind(
        403, "Not your analysis", "Only whoever asked for it may cancel it."
    ),
    "unknown-entry": ProblemKind(
        404, "There is no such entry", "`seq` of the game is the number of its last entry."
    ),
    "not-your-turn": ProblemKind(
        409, "It is not your turn", "`to_act` of the game lists the seats that the table waits for."
    ),
    "stale-choice": ProblemKind(
        409,
        "The choice is not open any more",
        "Somebody has acted since. `entries` are those you have missed, `choice` is the one that "
        "is open now; nothing was appended.",
    ),
    "game-over": ProblemKind(409, "The game is over", "Its log is closed. It can be forked."),
    "not-started": ProblemKind(
        409, "The game has not started", "It starts when every seat is taken and every seed open."
    ),
    "started": ProblemKind(409, "The game has started", "This can be done before the start only."),
    "not-over": ProblemKind(
        409, "The game is not over", "What is hidden stays hidden until it is: fork your own view."
    ),
    "seat-taken": ProblemKind(
        409, "The seat is taken", "`seats` of the game shows which are open."
    ),
    "seat-free": ProblemKind(409, "Nobody sits there", "There is nobody who could do that."),
    "seat-kept": ProblemKind(
        403, "The seat is kept for somebody", "Send the `invitation` that you were given."
    ),
    "seats-open": ProblemKind(
        409, "Not everybody has joined", "Seeds are opened when all seats are taken."
    ),
    "no-seed-due": ProblemKind(
        409, "There is no seed to open", "None was promised on joining, or it is open already."
    ),
    "game-exists": ProblemKind(
        409, "Another game of that name is here", "A log is never replaced by another."
    ),
    "rated-clock": ProblemKind(
        422,
        "A rated game needs a clock that ends it",
        "Send a `clock` with `then` `resign` or `random`: nobody may keep a rated game from its "
        "end, or have it won by a bot. Each bot needs its `think_ms` and 2,000 ms more.",
    ),
    "rated-together": ProblemKind(
        422,
        "Nobody is to be beaten there",
        "All seats win together at such a table: its result says of nobody to be the better one.",
    ),
    "rated-twice": ProblemKind(
        409, "That player has a seat already", "At a rated table, each account and bot has one."
    ),
    "rated-substitute": ProblemKind(
        409,
        "Nobody plays for another in a rated game",
        "A seat can be resigned, not handed to a bot.",
    ),
    "rated-running": ProblemKind(
        409,
        "A rated game goes on",
        "Nobody is helped in it before it is over: it can be forked and looked into afterwards.",
    ),
    "unknown-rules": ProblemKind(
        422, "There are no such rules", "`GET /api/v1/rules` lists the games that can be played."
    ),
    "unknown-bot": ProblemKind(422, "There is no such bot", "`GET /api/v1/bots` lists them."),
    "unknown-seat": ProblemKind(
        422, "There is no such seat", "Seats are numbered clockwise, from 0."
    ),
    "wrong-seats": ProblemKind(
        422, "Not with that many players", "The rules' `seats` say how many may play."
    ),
    "bad-seed": ProblemKind(
        422, "That is no seed", "A seed is 16 to 64 bytes, in lower-case hexadecimal digits."
    ),
    "bad-seed-hash": ProblemKind(
        422,
        "That is no hash of a seed",
        'SHA-256 of "tabularium/seed/1" and the seed, in lower-case hexadecimal digits.',
    ),
    "wrong-seed": ProblemKind(
        422, "Another seed was promised", "Its hash is not the one that was given on joining."
    ),
    "illegal-action": ProblemKind(
        422,
        "The rules forbid that",
        "`rule` is the stable code of the rule, the detail says it in words; nothing was appended.",
    ),
    "bad-name": ProblemKind(
        422,
        "That is no name",
        "A name is at most 60 characters, as people count them, and all of them can be seen.",
    ),
    "no-action": ProblemKind(422, "There is no action", "Send `action`, or a list as `actions`."),
    "invalid-options": ProblemKind(
        422, "The rules have no such options", "`schemas/options` of the rules says which."
    ),
    "invalid-question": ProblemKind(
        422,
        "Bots are not asked that",
        "A seat and an entry belong to a question about a position; the detail says what is wrong.",
    ),
    "invalid-export": ProblemKind(
        422, "The export is not good", "The detail names the first line that is wrong."
    ),
    "too-costly": ProblemKind(
        422,
        "The export takes too long to check",
        "It needs more time or memory than one export is given here: verify it with "
        "`docs/verify.py`.",
    ),
    "idempotency-key-reused": ProblemKind(
        422, "The key was used for another request", "Take a new Idempotency-Key for each request."
    ),
    "reply-expired": ProblemKind(
        410,
        "That was done, and its reply is not kept any more",
        "Nothing is done again under this `Idempotency-Key`: look at what there is, or take a new "
        "key for a new request.",
    ),
    "no-precondition": ProblemKind(
        428,
        "For which choice is that?",
        "Send `choice`, the token of the decision you answer, or `expected_seq`.",
    ),
    "key-rotated": ProblemKind(
        409, "The key was rotated before", "The detail names the key that replaces it."
    ),
    "too-many-keys": ProblemKind(409, "There are too many keys", "Delete one that is not needed."),
    "too-many-requests": ProblemKind(
        429, "Too many requests", "Wait as long as `Retry-After` says; `RateLimit` tells the rest."
    ),
    "too-many-games": ProblemKind(
        409, "There are too many open games", "Play one to its end, resign it, or call it off."
    ),
    "too-many-analyses": ProblemKind(
        409, "There are too many unfinished analyses", "Wait for one to end, or cancel it."
    ),
    "too-many-imports": ProblemKind(
        409,
        "There are too many imported games",
        "An account may import so many games, and no more: none of them is ever deleted.",
    ),
    "too-many-webhooks": ProblemKind(
        409, "There are too many webhooks", "Delete one that is not needed."
    ),
    "webhook-refused": ProblemKind(
        422,
        "Nothing is sent to that address",
        "A webhook is http or https, without user and password, on port 80, 443 or above 1023, and "
        "its name leads to public addresses only.",
    ),
    "webhook-disabled": ProblemKind(
        409, "The webhook is disabled", "`reason` says why. PATCH it with `is_enabled` true first."
    ),
    "too-many-checks": ProblemKind(
        429,
        "An export of yours is being checked",
        "One is checked at a time: wait for its answer, and as long as `Retry-After` says.",
    ),
    "too-many-streams": ProblemKind(
        429, "Too many streams are open", "Close one: the detail says how many there may be."
    ),
    "too-many-connections": ProblemKind(
        429, "Too many connections are open", "An address may have so many, and no more."
    ),
    "too-many-uploads": ProblemKind(
        429, "Too much is being sent at once", "Wait until some of your uploads are over."
    ),
    "overloaded": ProblemKind(
        503, "The server has too much to do", "Nothing was done: try again in a while."
    ),
    "log-broken": ProblemKind(
        500,
        "The log of this game does not replay",
        "The detail names its first entry that misfits. Nothing of it is shown.",
    ),
    "game-locked": ProblemKind(
        500,
        "The game cannot be opened",
        "No sealing key of this server fits: its operator has to bring back the key under which "
        "the game was begun. Nothing of it is lost.",
    ),
    "not-ready": ProblemKind(
        503,
        "The service is not ready",
        "Its database is away, not up to date or takes no writes: try again later.",
    ),
    "checks-busy": ProblemKind(
        503,
        "Other exports are being checked",
        "Few are checked at once. Nothing was done: try again as `Retry-After` says.",
    ),
    "busy": ProblemKind(503, "Too many act at this table at once", "Nothing was done: try again."),
    "unavailable": ProblemKind(
        503,
        "The service cannot do that now",
        "Its database, its disk or its broker is away. The detail says whether it may have been "
        "done: ask again after `Retry-After`, with the same `Idempotency-Key`.",
    ),
    "internal-error": ProblemKind(
        500,
        "The server failed",
        "That is a mistake of the server. What was asked for may have been done: look before you "
        "ask again. Report it with the `Request-Id` of the response.",
    ),
}
