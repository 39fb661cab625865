"""The members of shapes in the OpenAPI document: what each is, and its format or pattern.

A member is described by its name, which means the same in every shape; where it does not, by its
shape and its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from api.webhooks.target_urls import MAX_URL_LENGTH
from games.column_lengths import NAME_BYTES
from games.request_trace import REQUEST_ID_PATTERN

Bounds = Mapping[str, Any]

TIME: Final[Bounds] = {"format": "date-time"}
LINK: Final[Bounds] = {"format": "uri-reference"}
SHA256: Final[Bounds] = {"pattern": "^[0-9a-f]{64}$"}
SEED: Final[Bounds] = {"pattern": "^([0-9a-f]{2}){16,64}$"}
SLUG: Final[Bounds] = {"pattern": "^[a-z][a-z0-9_]*$"}
CODE: Final[Bounds] = {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
ACTION_TYPE: Final[Bounds] = {"pattern": r"^[a-z][a-z0-9_]*\.[a-z0-9_]+$"}
CHOICE: Final[Bounds] = {"pattern": "^[0-9a-f]+$"}
WEB_ADDRESS: Final[Bounds] = {
    "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[!-\[\]-~]+$",
    "maxLength": MAX_URL_LENGTH,
}
# Codes of the query's errors are Django's, with underscores.
MEMBER_CODE: Final[Bounds] = {"pattern": "^[a-z0-9]+([-_][a-z0-9]+)*$"}
POINTER: Final[Bounds] = {"pattern": "^(/[^/]*)*$"}
REQUEST_ID: Final[Bounds] = {"pattern": f"^{REQUEST_ID_PATTERN.pattern}$"}
NOT_NEGATIVE: Final[Bounds] = {"minimum": 0}
POSITIVE: Final[Bounds] = {"minimum": 1}
SHARE: Final[Bounds] = {"minimum": 0, "maximum": 1}
THOUSANDTHS: Final[Bounds] = {"minimum": 0, "maximum": 1000}
PLAIN: Final[Bounds] = {}
# At most 60 graphemes (api/graphemes.py), each of one or several code points.
NAME: Final[Bounds] = {"maxLength": NAME_BYTES}


def id_of(kind: str) -> Bounds:
    """The pattern of an id."""
    return {"pattern": f"^{kind}_[0-9a-f]{{32}}$"}


ACCOUNT: Final = id_of("account")
GAME: Final = id_of("game")
OPTIONAL_GAME: Final[Bounds] = {"pattern": "^(game_[0-9a-f]{32})?$"}
EXPIRY: Final = (
    "When the game ends without a result unless something happens; null where a clock runs.",
    TIME,
)
SEATED_ACCOUNT: Final = (
    "The id of the account on this seat, also where a bot plays on, or for which it is kept.",
    ACCOUNT,
)

MEMBERS: Final[Mapping[str, tuple[str, Bounds]]] = {
    "about": ("The subject: a `position`, or a whole `game` that is over.", PLAIN),
    "absent": ("The seat whose player has left.", NOT_NEGATIVE),
    "accepted": ("The seats that have accepted.", PLAIN),
    "account": ("The new account.", PLAIN),
    "action": ("An action, as the schema of the ruleset's actions describes it.", PLAIN),
    "action_ms": ("The time for an action, in milliseconds.", PLAIN),
    "actions": ("Several actions, in order.", PLAIN),
    "after": ("The certain consequences; null if you only go on, or nothing is certain.", PLAIN),
    "answer": ("The start of the body of your server's answer.", PLAIN),
    "api_level": ("The level of this API: it rises with every change.", POSITIVE),
    "asked": ("The seats that the open proposal asks, and that have not answered.", PLAIN),
    "at": ("The time.", TIME),
    "attempts": ("The number of attempts so far.", NOT_NEGATIVE),
    "best": ("The action that would have been best; null if none was found.", PLAIN),
    "best_label": ("That action in words.", PLAIN),
    "best_value": ("The value of the best action, in thousandths.", THOUSANDTHS),
    "body": ("The body as it is sent.", PLAIN),
    "bot": ("The name of a bot, as listed by `GET /api/v1/bots`; null if it is no bot.", PLAIN),
    "broker": ("The broker of the workers.", PLAIN),
    "changed_since": (
        "The time to send as `since` for the games that have changed meanwhile; null if none has.",
        TIME,
    ),
    "choice": ("The choice that is open now; null if none is.", PLAIN),
    "choices": ("The choices, in order; empty if the kind is another.", PLAIN),
    "chosen": ("The action that was chosen.", PLAIN),
    "clock": ("The clock of the game; null if it has none.", PLAIN),
    "code": ("A stable code, for programs.", MEMBER_CODE),
    "commitment": ("The SHA-256 to which the server committed before the first seed.", SHA256),
    "compared": ("The number of decisions that could be compared.", NOT_NEGATIVE),
    "considered": ("The number of actions that were considered.", NOT_NEGATIVE),
    "created": ("The time of creation.", TIME),
    "data": ("The facts of the event.", PLAIN),
    "database": ("The database.", PLAIN),
    "default": ("The value of a table that does not name it.", PLAIN),
    "deadline": ("The time until which the action or the result is due; null if none is.", TIME),
    "decisions": ("The decisions, in order.", PLAIN),
    "description": ("A description, in English.", PLAIN),
    "designers": ("The people who designed the game.", PLAIN),
    "detail": ("A sentence for people, in English.", PLAIN),
    "digest": ("The SHA-256 of the source code of the ruleset.", SHA256),
    "docs": ("The page of this documentation.", LINK),
    "done": ("The number of parts that are done.", NOT_NEGATIVE),
    "duration_ms": ("The duration of the last attempt, in milliseconds.", NOT_NEGATIVE),
    "ended": ("The time of the end; null before.", TIME),
    "engines": ("How the rules run: compiled or interpreted.", PLAIN),
    "entries": ("The entries, in order.", PLAIN),
    "entry": ("The last of the entries.", PLAIN),
    "error": ("The error of the last attempt; empty if there was none.", PLAIN),
    "errors": ("The errors of the request, each at its place.", PLAIN),
    "expected_seq": ("The number of the last entry that you have seen.", PLAIN),
    "expires": ("The time of expiry; null if it does not expire.", TIME),
    "export": ("The export of the whole log.", LINK),
    "fairness_level": (
        "Who chose the chance: 1, the server; 2, the server and all players.",
        {"minimum": 1, "maximum": 2},
    ),
    "fewest": ("The fewest players.", POSITIVE),
    "fill_with": ("The bot that takes every free seat.", PLAIN),
    "findings": ("The findings; null before they are there.", PLAIN),
    "first": ("The entry with which the game starts; null before.", POSITIVE),
    "forms": ("The forms in which you may state an action in words; mostly none.", PLAIN),
    "game": ("The id of the game.", GAME),
    "games": ("The number of games.", NOT_NEGATIVE),
    "has_resigned": ("Whether its player has resigned.", PLAIN),
    "hash": ("The SHA-256 of the last entry, which covers all entries before it.", SHA256),
    "heads": ("The signed heads of the log, by the last entry that each covers.", PLAIN),
    "health": ("Whether the server is alive.", LINK),
    "high": ("The upper end of the 95 % interval.", SHARE),
    "hints": ("Whether players may take hints though other people play.", PLAIN),
    "imported": ("Where the game was imported from; null if it was played here.", PLAIN),
    "invitations": ("The invitations, each shown only this once.", PLAIN),
    "invitation": ("The secret of the invitation, if the seat is reserved.", PLAIN),
    "is_awaited": ("Whether the game waits for this seat.", PLAIN),
    "is_calibrated": (
        "Whether values are chances of winning; if not, they only put actions in an order.",
        PLAIN,
    ),
    "is_enabled": ("Whether it is delivered to.", PLAIN),
    "is_good": ("Whether the log is whole and follows the rules.", PLAIN),
    "is_legal": ("Whether the action would be accepted now.", PLAIN),
    "is_ok": ("Whether the check has passed.", PLAIN),
    "is_partial": ("Whether some parts were not finished in time.", PLAIN),
    "is_provisional": ("Whether there are too few games for a certain rating.", PLAIN),
    "is_same": ("Whether the bot, asked again, chooses the same action.", PLAIN),
    "is_signed": ("Whether the export is good, and has the receipts of its server.", PLAIN),
    "is_you": ("Whether it is you.", PLAIN),
    "items": ("The items of this page.", PLAIN),
    "keeps_key": ("Whether the calling key stays valid.", PLAIN),
    "key": ("The Ed25519 public key that signs, in hexadecimal digits.", SHA256),
    "kind": ("The kind.", PLAIN),
    "kinds": ("The kinds of events.", PLAIN),
    "known": ("The last entry that the bot knew of.", NOT_NEGATIVE),
    "label": ("The action in words, in English.", PLAIN),
    "last_attempt": ("The time of the last attempt; null before the first.", TIME),
    "last_used": ("The time of the last use; null before the first.", TIME),
    "level": ("The level of fairness: see `docs/fairness.md`.", {"minimum": 1, "maximum": 2}),
    "line": ("The actions that are expected to follow.", PLAIN),
    "links": ("Links to what belongs to it.", PLAIN),
    "log": ("The log.", LINK),
    "loss": ("The value that was given away, in thousandths; null if unknown.", THOUSANDTHS),
    "low": ("The lower end of the 95 % interval.", SHARE),
    "maximum": ("The greatest number; null if there is none.", PLAIN),
    "may_be_null": ("Whether null is a value, too.", PLAIN),
    "mean_loss": ("The mean loss of a decision, in thousandths.", THOUSANDTHS),
    "meaning": ("What it means, and what to do.", PLAIN),
    "method": ("How the bot decides: a level decides as one of these does.", PLAIN),
    "migrations": ("The migrations of the database.", PLAIN),
    "minimum": ("The least number; null if there is none.", PLAIN),
    "most": ("The most players.", POSITIVE),
    "mu": ("The most likely strength.", PLAIN),
    "my_turn": ("Whether the game waits for one of your seats.", PLAIN),
    "name": ("The name; empty if none was given.", PLAIN),
    "news": ("What happened, as you may see it; null without the rules of the game.", PLAIN),
    "ending": ("How the game came to its end: see `docs/tables.md`; null before.", PLAIN),
    "next_after": ("The `after` of the next page; null if there are no more entries yet.", PLAIN),
    "next_attempt": ("The time of the next attempt; null if there is none.", TIME),
    "next_cursor": ("The `cursor` of the next page; null on the last.", PLAIN),
    "of": ("The number of parts.", NOT_NEGATIVE),
    "offers": ("The legal actions, each ready to be sent.", PLAIN),
    "old_secret_until": ("The time until which the old secret signs, too; null if none.", TIME),
    "open_seats": ("The seats that the first to join may take.", PLAIN),
    "openapi": ("This document.", LINK),
    "opened": ("The hidden fields that you may read; null if there are none.", PLAIN),
    "opponent": ("The bot at all other seats.", PLAIN),
    "options": ("The options of the game, as the schema of the ruleset describes them.", PLAIN),
    "ordinal": ("The strength that is almost certain: `mu` less three `sigma`.", PLAIN),
    "origin": ("The position from which the game was forked; null if it was not.", PLAIN),
    "overlap_ms": ("How long the old key stays valid, in milliseconds.", PLAIN),
    "package": ("The distribution that brings the rules.", PLAIN),
    "par": ("The share of an equally strong bot.", SHARE),
    "parameter": ("The query parameter of the error.", PLAIN),
    "parts": ("The searches of which it is the sum.", PLAIN),
    "paused_since": ("The time since which the game is paused; null if it is not.", TIME),
    "phase": ("Whether seats are still open, the game is on, or over.", PLAIN),
    "picture": ("A picture, as SVG.", LINK),
    "pointer": ("The place of the error in the body (RFC 6901).", POINTER),
    "position": ("The findings about a position; null if there are none.", PLAIN),
    "progress": ("The progress while it is `waiting`; else null.", PLAIN),
    "proof": ("The commitment and the signed heads.", LINK),
    "proposal": ("The open proposal; null if there is none.", PLAIN),
    "proven": ("Whether the rules are known to keep the promises of this service.", PLAIN),
    "public": ("The part of the entry that is open to all, which `hash` covers.", PLAIN),
    "rated": ("Whether the result counts for the ratings.", PLAIN),
    "reason": ("Why it is disabled, in a sentence; empty if it is not.", PLAIN),
    "receipt": ("The server's signature of the log with this entry.", PLAIN),
    "next": ("The game in which the same players meet again, its rematch; or null.", GAME),
    "rematch": ("The game after which the same players meet again; or null.", GAME),
    "remedy": ("What to do about it.", PLAIN),
    "request_id": ("The `Request-Id` of the response.", REQUEST_ID),
    "result": ("The result; null before the end, and of a game that was called off.", PLAIN),
    "review": ("The findings about a game; null if there are none.", PLAIN),
    "rule": ("The code of the rule that forbids the action.", CODE),
    "rules": ("The slug of the ruleset.", SLUG),
    "ruleset": ("The ruleset that is not installed.", PLAIN),
    "scopes": ("The scopes of the key.", PLAIN),
    "score_changes": ("By seat, the change of its score; null where there are no scores.", PLAIN),
    "scores": ("By seat, the score; null in games without scores.", PLAIN),
    "seat": ("The number of a seat, clockwise from 0.", NOT_NEGATIVE),
    "seats": ("The seats, clockwise.", PLAIN),
    "seed": ("A seed: 16 to 64 bytes in lower-case hexadecimal digits.", SEED),
    "seed_hash": ('The SHA-256 of "tabularium/seed/1" and the seed; null: no seed.', SHA256),
    "seen_as": (
        "The viewer: `onlooker`, or `seat:` and its number.",
        {"pattern": "^(onlooker|everything|seat:[0-9]+)$"},
    ),
    "self": ("The resource itself.", LINK),
    "seq": ("The number of an entry, from 1.", NOT_NEGATIVE),
    "share": ("The share of the victories.", SHARE),
    "sigma": ("The uncertainty of `mu`.", NOT_NEGATIVE),
    "signature": ("The Ed25519 signature, in hexadecimal digits.", {"pattern": "^[0-9a-f]{128}$"}),
    "simulations": ("The number of simulations.", NOT_NEGATIVE),
    "slug": ("The name of the ruleset in addresses and action types.", SLUG),
    "state": ("The state.", PLAIN),
    "stream": ("The stream of entries (server-sent events).", LINK),
    "strength": ("The measured strength, by ruleset.", PLAIN),
    "summary": ("The game in a sentence.", PLAIN),
    "sweeper": ("The process that takes up what was left.", PLAIN),
    "tables": ("The tables of the database.", PLAIN),
    "takebacks": ("The entries to which your seat can propose to return.", PLAIN),
    "text": ("A sentence, in English.", PLAIN),
    "then": ("What happens to a seat whose time is over.", PLAIN),
    "think_ms": ("The time that it takes for a decision, at most.", NOT_NEGATIVE),
    "timestamp": ("The time of the event.", TIME),
    "title": ("The title, in English.", PLAIN),
    "to": ("The entry to return to, in a takeback; else null.", NOT_NEGATIVE),
    "to_act": ("The seats for which the game waits.", PLAIN),
    "token": ("The token of this choice: send it as `choice`.", CHOICE),
    "type": ("The type, which tells the other members.", PLAIN),
    "updated": ("The time of the last change here: the last entry, or the import.", TIME),
    "url": ("The address to which events are sent.", {"format": "uri"}),
    "value": ("The estimated value, in thousandths: 1000 is won; null if unknown.", THOUSANDTHS),
    "version": ("The version of the rules.", POSITIVE),
    "versions": ("The installed versions of the rules, ascending.", PLAIN),
    "view": ("What the viewer may know, as the schema of the ruleset describes it.", PLAIN),
    "views": ("The views of all seats; null unless seen as `everything`.", PLAIN),
    "visibility": ("Who may see the game.", PLAIN),
    "visits": ("How often the search has tried it.", NOT_NEGATIVE),
    "webhook": ("The webhook.", PLAIN),
    "winners": ("The seats that win; several share the victory.", PLAIN),
    "worker": ("The workers that compute the moves of bots.", PLAIN),
    "writes": ("Whether the database can be written to.", PLAIN),
    "your_seats": ("The seats that you play.", PLAIN),
}

_OWN: Final[Mapping[str, tuple[str, Bounds]]] = {
    "AccountProfile.games": ("The numbers of its public games, by ruleset.", PLAIN),
    "AccountProfile.id": ("The id of the account.", ACCOUNT),
    "AccountProfile.ratings": ("Its rating in each ruleset.", PLAIN),
    "AnalysisLinks.game": ("The game.", LINK),
    "AnalysisSummary.id": ("The id of the analysis.", id_of("analysis")),
    "AnalysisView.id": ("The id of the analysis.", id_of("analysis")),
    "AnalysisView.digest": ("The SHA-256 of the source code of the search.", SHA256),
    "BotProfile.ratings": ("Its rating in each ruleset.", PLAIN),
    "Clock.then": ("What a seat does whose time is over.", PLAIN),
    "Deletion.account": ("The `id` of your account, as `GET /api/v1/me` shows it.", PLAIN),
    "GameSummary.expires": EXPIRY,
    "GameView.expires": EXPIRY,
    "NamedAccount.id": ("The id of the account.", id_of("account")),
    "NewClaim.then": ("Whether a bot plays on for the seat, or it resigns.", PLAIN),
    "NewProposal.of": ("The matter of the proposal.", PLAIN),
    "ProposalView.of": ("The matter of the proposal.", PLAIN),
    "TableClaim.seat": ("The seat whose player has left.", NOT_NEGATIVE),
    "TableClaim.then": ("Whether a bot plays on for the seat, or it resigns.", PLAIN),
    "TablePropose.of": ("The matter of the proposal.", PLAIN),
    "TableAccept.proposal": ("The entry of the proposal.", POSITIVE),
    "TableDecline.proposal": ("The entry of the proposal.", POSITIVE),
    "DeliveryView.id": ("The id of the delivery, also its `webhook-id`.", id_of("msg")),
    "DeliveryView.status": ("The HTTP status of your server's answer; null if none.", PLAIN),
    "DeliveryView.kind": ("The kind of the event.", PLAIN),
    "EntryFacts.after": ("The entry after which the new ones begin.", NOT_NEGATIVE),
    "EntryPointLinks.rules": ("The rulesets.", LINK),
    "EntryView.at": ("The time at which the entry was appended.", TIME),
    "ExportVerdict.entries": ("The number of entries.", NOT_NEGATIVE),
    "ExportVerdict.level": ("The level of fairness: 0 if it is unknown.", NOT_NEGATIVE),
    "ExportVerdict.line": ("The first line that is bad, from 1; null if none is.", POSITIVE),
    "ExportVerdict.game": ("The id of the game; empty if the export names none.", OPTIONAL_GAME),
    "GameCounts.gathering": ("The number of games that have not started.", NOT_NEGATIVE),
    "GameCounts.over": ("The number of games that are over.", NOT_NEGATIVE),
    "GameCounts.playing": ("The number of games that are on.", NOT_NEGATIVE),
    "GameLinks.actions": ("Send your actions here.", LINK),
    "GameLinks.choice": ("The choice that is open for you.", LINK),
    "GameLinks.rules": ("The ruleset.", LINK),
    "GameSummary.id": ("The id of the game.", GAME),
    "GameUpdate.challenged": ("The seats that wait for you.", PLAIN),
    "GameUpdate.declined": (
        "If you made the game: the free seats that the challenged accounts have declined.",
        PLAIN,
    ),
    "GameView.id": ("The id of the game.", GAME),
    "Guest.key": ("The key, without its secret.", PLAIN),
    "Guest.secret": ("The key: send it as `Authorization: Bearer …`.", {"pattern": "^tab_"}),
    "Health.rules": ("By slug, the newest version of the rules.", PLAIN),
    "Health.status": ("Always `ok`: another server would not answer.", PLAIN),
    "ImportInfo.at": ("The time of the import; null if it was not recorded.", TIME),
    "MadeHandover.expires": ("The time until which the code is valid.", TIME),
    "MadeHandover.code": ("The code.", {"pattern": "^[0-9A-Z]{4}-[0-9A-Z]{4}$"}),
    "MadeRecoveryCodes.codes": (
        "The codes.",
        {"items": {"type": "string", "pattern": "^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$"}},
    ),
    "MadeRecoveryCodes.created": ("The time at which they were made.", TIME),
    "Recovery.at": ("The time at which the code was redeemed.", TIME),
    "Recovery.key": ("The id of the key that came of it.", id_of("key")),
    "RecoveryCodes.created": ("The time at which they were made; null if there are none.", TIME),
    "RecoveryCodes.left": ("The number of codes that can be redeemed.", PLAIN),
    "RecoveryCodes.used": ("The uses of the other codes, oldest first.", PLAIN),
    "RecoveryNotice.recovery": ("The use of the code.", PLAIN),
    "Redemption.code": ("The code, as it was shown on the other device or is printed.", PLAIN),
    "KeyView.id": ("The id of the key.", id_of("key")),
    "ListedSeat.account": SEATED_ACCOUNT,
    "ListedSeat.is_deleted": ("Whether the account that played here was deleted.", PLAIN),
    "ListedSeat.name": ("The name of its account; null if there is none.", PLAIN),
    "MadeInvitation.secret": ("The invitation, shown only this once.", {"pattern": "^inv_"}),
    "MadeKey.key": ("The key, without its secret.", PLAIN),
    "MadeKey.secret": ("The key: send it as `Authorization: Bearer …`.", {"pattern": "^tab_"}),
    "LobbyUpdate.game": ("The game; null at the beginning: no table is open yet.", GAME),
    "LobbyUpdate.table": ("The table; null if it is not open any more.", PLAIN),
    "MadeWebhook.secret": ("The secret that signs; null if you had it.", {"pattern": "^whsec_"}),
    "Me.id": ("The id of the account.", ACCOUNT),
    "Me.ratings": ("Your rating in each ruleset.", PLAIN),
    "ActionCheckRequest.choice": ("The token of the choice that the actions answer.", PLAIN),
    "NewActions.choice": ("The token of the choice that the actions answer.", PLAIN),
    "NewAnalysis.seat": ("The seat that decides; null: your first.", PLAIN),
    "NewAnalysis.seq": ("The entry after which it decides; null: the last.", PLAIN),
    "NewBot.bot": ("The name of the bot.", PLAIN),
    "NewFork.seat": ("The seat whose view is forked; null: all, of a game that is over.", PLAIN),
    "NewFork.seq": ("The entry after which the fork begins.", PLAIN),
    "NewFork.visibility": ("`private`, or null: as visible as the game.", PLAIN),
    "NewGame.options": ("The options; null: the default ones.", PLAIN),
    "NewGame.version": ("The version of the rules; null: the newest.", PLAIN),
    "NewSeat.account": ("The id of the account, if the kind is `account`.", ACCOUNT),
    "NewSeat.bot": ("The name of the bot, if the kind is `bot`.", PLAIN),
    "NoticeLinks.choice": ("The choice that is open for you.", LINK),
    "NoticeLinks.game": ("The game.", LINK),
    "OptionChoice.value": ("The value of the option.", PLAIN),
    "Origin.hash": ("The SHA-256 of the entry after which the fork begins.", SHA256),
    "Origin.seat": ("The seat whose view was forked; null: all were known.", NOT_NEGATIVE),
    "Outcome.reason": ("Why the game ended, in a sentence.", PLAIN),
    "PingFacts.webhook": ("The id of the webhook.", id_of("webhook")),
    "PlayerLinks.games": ("The games in which it has a seat.", LINK),
    "PositionFindings.actions": ("The best actions, the best first.", PLAIN),
    "Problem.choice": ("The choice that is open now, if yours was stale.", PLAIN),
    "Problem.code": ("The stable code of the problem.", CODE),
    "Problem.entries": ("The entries that you have missed, if your choice was stale.", PLAIN),
    "Problem.limit": ("The name of the limit that the request exceeds.", PLAIN),
    "Problem.status": ("The HTTP status.", {"minimum": 400, "maximum": 599}),
    "Problem.rule": ("The code of the rule that forbids the action.", CODE),
    "Problem.type": ("The page about this kind of problem.", LINK),
    "ProblemKind.meaning": ("What it means.", PLAIN),
    "ProblemKind.members": ("Its members beyond those of every problem.", PLAIN),
    "ProblemMember.meaning": ("What it holds.", PLAIN),
    "ProblemMember.name": ("Its name.", PLAIN),
    "ProblemKind.status": ("The HTTP status.", {"minimum": 400, "maximum": 599}),
    "Proof.key": ("The Ed25519 public key of the server, in hexadecimal digits.", SHA256),
    "Proof.secret": ("The secret that opens the game, once it is over; else null.", SHA256),
    "RatingView.account": ("The id of the account; null of a bot.", ACCOUNT),
    "Readiness.status": ("`ready`, or `degraded` if a part that can be missed is away.", PLAIN),
    "Receipt.key": ("The Ed25519 public key of the server, in hexadecimal digits.", SHA256),
    "ReviewedDecision.entry": ("The number of the entry with the action.", POSITIVE),
    "ReviewedDecision.seq": ("The entry after which the seat decided.", NOT_NEGATIVE),
    "ReviewedSeat.decisions": ("The number of its decisions.", NOT_NEGATIVE),
    "Rules.options": ("The options of a table, as the fields of a form.", PLAIN),
    "Rules.seats": ("How many can play.", PLAIN),
    "RulesLinks.action": ("The schema of actions.", LINK),
    "RulesLinks.news": ("The schema of news.", LINK),
    "RulesLinks.options": ("The schema of options.", LINK),
    "RulesLinks.ratings": ("The leaderboard.", LINK),
    "RulesLinks.text": ("The rules, in Markdown.", LINK),
    "RulesLinks.view": ("The schema of views.", LINK),
    "RulesOption.kind": ("How its value is chosen.", PLAIN),
    "RulesOption.name": ("The name of the member of `options`.", PLAIN),
    "SearchPart.seed": ("The seed of the search.", {"pattern": "^[0-9]+$"}),
    "ThoughtAction.action": ("The action, ready to be sent; null: to wait.", PLAIN),
    "ThoughtAction.visits": (
        "How often the search has tried it; null if the bot does not search.",
        NOT_NEGATIVE,
    ),
    "ThoughtFindings.actions": (
        "The actions that it weighed, the best first; empty if it weighed none.",
        PLAIN,
    ),
    "ReplayLinks.game": ("The game.", LINK),
    "ThoughtLinks.entry": ("The entry.", LINK),
    "ThoughtLinks.view": ("The view that the bot had.", LINK),
    "ThoughtView.bot": ("The name of the bot that decided.", PLAIN),
    "ThoughtView.digest": ("The SHA-256 of the source code that decided.", SHA256),
    "ThoughtView.seed": ("The seed of the decision.", {"pattern": "^[0-9]+$"}),
    "SealedAction.type": ("The type, which tells the other members.", ACTION_TYPE),
    "SeatView.is_deleted": ("Whether the account that played here was deleted.", PLAIN),
    "SeatView.account": SEATED_ACCOUNT,
    "SeatView.name": ("The name of its account; null if there is none.", PLAIN),
    "ActionCheck.offer": ("The action as it is understood; null if it is not legal.", PLAIN),
    "FormView.member": ("The member that takes the words.", PLAIN),
    "FormView.title": ("The request for them.", PLAIN),
    "FormView.type": ("The `type` of the action.", ACTION_TYPE),
    "SeatView.title": ("Its title in the game, as news and pictures name it.", PLAIN),
    "SeatView.hue": ("Its colour in pictures.", {"pattern": "^#[0-9a-f]{6}$"}),
    "SeatView.seed": ("Whether its player has promised a seed, and opened it.", PLAIN),
    "StrengthView.seats": ("The number of players.", POSITIVE),
    "StrengthView.options": ("The options other than the default ones; null if none.", PLAIN),
    "TableCreate.seats": ("The number of seats.", POSITIVE),
    "TableCreate.key": ("The Ed25519 public key of its receipts.", SHA256),
    "TableEnd.secret": ("The secret of the game, which opens everything.", SHA256),
    "TableStart.position": ("The position from which a fork begins; null: the deal.", PLAIN),
    "WebhookView.id": ("The id of the webhook.", id_of("webhook")),
}

CONSTANTS: Final[Mapping[str, str]] = {
    "type": MEMBERS["type"][0],
    "kind": "The part of `type` behind the dot.",
}

# Bounds of members that clients send: most have none, since the services judge all that the parser
# does not ask for.
_SENT: Final[Mapping[str, Bounds]] = {
    "ActionCheckRequest.choice": CHOICE,
    "Deletion.account": ACCOUNT,
    "GuestRequest.name": NAME,
    "JoinRequest.seed_hash": SHA256,
    "NewActions.choice": CHOICE,
    "NewKey.expires": TIME,
    "NewKey.name": NAME,
    "NewGame.rules": SLUG,
    "NewSeat.account": ACCOUNT,
    "NewSeat.seed_hash": SHA256,
    "NewWebhook.url": WEB_ADDRESS,
    "Rename.name": NAME,
    "SeedReveal.seed": SEED,
    "WebhookChange.url": WEB_ADDRESS,
}


def member_meaning(shape: str, name: str) -> str:
    """The description of a member of a shape."""
    return (_OWN.get(f"{shape}.{name}") or MEMBERS[name])[0]


def has_form(text: str, bounds: Bounds) -> bool:
    """Whether a text that a client sent has the form that the document states."""
    return re.fullmatch(bounds["pattern"], text) is not None


def describe_constants(schema: dict[str, Any]) -> None:
    """Describe the members that tell a schema apart: games declare them without a comment."""
    for name, member in schema.get("properties", {}).items():
        if "const" in member and name in CONSTANTS:
            member.setdefault("description", CONSTANTS[name])


def describe_members(shape: str, schema: dict[str, Any], is_sent: bool) -> None:
    """Describe and bound the members of a shape that have no description of their own."""
    for name, member in schema.get("properties", {}).items():
        said = _OWN.get(f"{shape}.{name}") or MEMBERS.get(name)
        if said is not None:
            member.setdefault("description", said[0])
            _bound(member, _SENT.get(f"{shape}.{name}", PLAIN) if is_sent else said[1])


def _bound(member: dict[str, Any], bounds: Bounds) -> None:
    """Add bounds to the part of a member's schema that they are about, or to the items of it."""
    parts = [member, *member.get("anyOf", ()), member.get("items", {})]
    for part in parts:
        kind = part.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        wanted = "string" if {"format", "maxLength", "pattern"} & bounds.keys() else "integer"
        if wanted in kinds or (wanted == "integer" and "number" in kinds):
            part.update({key: value for key, value in bounds.items() if key not in part})
