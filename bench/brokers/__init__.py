"""Which broker suits a machine that has none: what survives kill -9, and what does it cost?"""

from typing import Final

CHAIN_COUNT: Final = 8  # of tasks that follow from each other, all under way at once
