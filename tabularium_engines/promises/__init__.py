"""The promises that every engine keeps: each is a function that raises AssertionError when its
promise is broken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.promises.clones_and_worlds import promise_6, promise_8, promise_9
from tabularium_engines.promises.decisions import (
    promise_1,
    promise_2,
    promise_3,
    promise_4,
    promise_5,
)
from tabularium_engines.promises.foretold_consequences import promise_15
from tabularium_engines.promises.hidden_information import promise_10, promise_11
from tabularium_engines.promises.log_secrecy import promise_14
from tabularium_engines.promises.logs_and_pictures import promise_7, promise_12
from tabularium_engines.promises.marked_pictures import promise_17
from tabularium_engines.promises.news_items import promise_16

# Engine, options, seats, seed, and the approximate number of positions to examine closely.
Promise = Callable[[AnyEngine, Any, int, int, int], None]

PROMISES: Final[Mapping[int, Promise]] = {
    1: promise_1,
    2: promise_2,
    3: promise_3,
    4: promise_4,
    5: promise_5,
    6: promise_6,
    7: promise_7,
    8: promise_8,
    9: promise_9,
    10: promise_10,
    11: promise_11,
    12: promise_12,
    14: promise_14,  # the 13th compares two builds: see test_parity.py
    15: promise_15,
    16: promise_16,
    17: promise_17,
}
