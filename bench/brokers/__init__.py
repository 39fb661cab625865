"""Comparison of brokers for a machine without one: their cost, and their losses under kill -9."""

from typing import Final

CHAIN_COUNT: Final = 8  # parallel chains of tasks, each of which sends the next
