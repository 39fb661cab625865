"""Search of the true state, with perfect information: nothing is redealt. Used by the arena only,
as an upper bound for an honest search."""

from __future__ import annotations

from tabularium_engines.base import State
from tabularium_engines.search.ismcts import Search


class PerfectInformationSearch(Search):
    """Sees all hidden cards and assumes that every seat does; future draws stay unknown."""

    def _redeal_hidden(self, state: State) -> None:
        """Leave the state as it is."""
