"""What is the most that a search could win? The same search with nothing left to imagine: for the
arena alone, as the ceiling of what an honest one may reach."""

from __future__ import annotations

from ai.search.ismcts import Search
from games.engines.base import State


class PerfectInformationSearch(Search):
    """Sees all that lies hidden, and thinks that everybody does; what chance will bring stays
    unknown."""

    def _redeal_hidden(self, state: State) -> None:
        """Everything is as it is."""
