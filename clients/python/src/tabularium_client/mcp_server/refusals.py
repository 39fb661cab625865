"""Refusals that teach: the code of the problem, its sentence, the place of each error, and, for an
action, the legal ones."""

from __future__ import annotations

from typing import Final

from tabularium_client import types
from tabularium_client.mcp_server.choices import choice_document
from tabularium_client.mcp_server.replies import Document, happened, untrusted
from tabularium_client.problems import (
    NoReply,
    ProblemReply,
    StaleChoice,
    TabulariumError,
    UnexpectedReply,
)

MISSED: Final = 5  # entries whose news a refusal has
REMEDIES: Final = {
    "too-many-requests": "Wait so long before the next call.",
    "unauthorized": "Ask the user to replace the key in the key file, or to remove it: without one,"
    " a guest is made.",
    "insufficient-scope": "Ask the user for a key with this scope.",
}


class ToolRefusal(Exception):
    """A call that this server refuses itself, with the stable code of the reason."""

    def __init__(self, code: str, sentence: str, pointer: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.pointer = pointer


class RefusedAction(Exception):
    """An action that was refused, with the choice that is open."""

    def __init__(self, problem: ProblemReply, choice: types.ChoiceView) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.choice = choice


def refusal_document(refusal: ToolRefusal | RefusedAction | TabulariumError) -> Document:
    """The reply to a call that has failed."""
    if isinstance(refusal, ToolRefusal):
        document: Document = {"code": refusal.code, "sentence": refusal.sentence}
        return document | ({"pointer": refusal.pointer} if refusal.pointer else {})
    if isinstance(refusal, RefusedAction):
        return problem_document(refusal.problem) | choice_document(refusal.choice)
    if isinstance(refusal, ProblemReply):
        return problem_document(refusal)
    if isinstance(refusal, NoReply):
        return {"code": "no-reply", "sentence": "The server of the games does not answer."}
    if isinstance(refusal, UnexpectedReply):
        sentence = f"The server replied with status {refusal.status}, and not as it promises."
        return {"code": "unexpected-reply", "sentence": sentence, **untrusted(text=refusal.text)}
    return {"code": "broken-reply", "sentence": "A reply of the server was cut short."}


def problem_document(problem: ProblemReply) -> Document:
    """A problem of the API; a stale choice with the news missed and the choice that is open."""
    document: Document = {
        "code": problem.code,
        "sentence": problem.detail,
        "status": problem.status,
        "request_id": problem.request_id,
    }
    if problem.errors:
        document["errors"] = [dict(each) for each in problem.errors]
    for name in ("rule", "limit"):
        if (value := problem.document.get(name)) is not None:
            document[name] = value
    if problem.retry_after is not None:
        document["retry_after_s"] = problem.retry_after
    if problem.code in REMEDIES:
        document["remedy"] = REMEDIES[problem.code]
    return document | (stale_document(problem) if isinstance(problem, StaleChoice) else {})


def stale_document(stale: StaleChoice) -> Document:
    """The last news, and the choice that is open now."""
    missed: Document = {"happened": happened(stale.entries[-MISSED:])}
    return missed | ({} if stale.choice is None else choice_document(stale.choice))
