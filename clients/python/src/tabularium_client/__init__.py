"""A client of Tabularium: games against bots and people, as tamper-evident logs.

`Client` and `AsyncClient` have a method for each operation of the API, and add guest keys, retries,
waiting and streams; `verify` checks an exported game offline. The types of all documents are in
`tabularium_client.types`.
"""

from __future__ import annotations

from tabularium_client import types
from tabularium_client.async_client import AsyncClient
from tabularium_client.calls import BrokenReply
from tabularium_client.client import Client
from tabularium_client.keys import KeyFile, KeyStore
from tabularium_client.problems import (
    BadRequest,
    Conflict,
    Forbidden,
    GameOver,
    IllegalAction,
    NoReply,
    NotFound,
    ProblemReply,
    ServerFailure,
    StaleChoice,
    TabulariumError,
    TooManyRequests,
    Unauthorized,
    UnexpectedReply,
    Unprocessable,
)
from tabularium_client.retries import Retries
from tabularium_client.seats import ME, OPEN, bot
from tabularium_client.turns import Turn
from tabularium_client.verification import Seed, Verdict, WrongExport, verify
from tabularium_client.version import VERSION

__version__ = VERSION

__all__ = [
    "ME",
    "OPEN",
    "AsyncClient",
    "BadRequest",
    "BrokenReply",
    "Client",
    "Conflict",
    "Forbidden",
    "GameOver",
    "IllegalAction",
    "KeyFile",
    "KeyStore",
    "NoReply",
    "NotFound",
    "ProblemReply",
    "Retries",
    "Seed",
    "ServerFailure",
    "StaleChoice",
    "TabulariumError",
    "TooManyRequests",
    "Turn",
    "Unauthorized",
    "UnexpectedReply",
    "Unprocessable",
    "Verdict",
    "WrongExport",
    "__version__",
    "bot",
    "types",
    "verify",
]
