"""Search nodes: a node finds its children again, however many there are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.search.node import Node, key_of

KEYS = st.tuples(st.integers(0, 15), st.integers(0, 2**40 - 1), st.integers(0, 2**16 - 1))


@pytest.mark.lane("slow")
@given(st.sets(KEYS, max_size=300), KEYS)
def test_children_are_found_again(
    keys: set[tuple[int, int, int]], other: tuple[int, int, int]
) -> None:
    node = Node(0)
    children = {key: node.add_child(key_of(*key)) for key in keys}
    assert all(node.find_child(key_of(*key)) is child for key, child in children.items())
    assert all(child.seat == seat for (seat, _, _), child in children.items())
    assert node.find_child(key_of(*other)) is children.get(other)


def test_a_mean_and_its_doubt() -> None:
    node = Node(0)
    for reward in (1.0, 0.0, 0.5, 0.5):
        node.add_reward(reward)
    assert (node.visits, node.mean, node.uncertainty) == (4, 0.5, 0.5)


DEEP = """
from tabularium_engines.search.node import Node, key_of
root = node = Node(0)
for action in range(20_000):
    node = node.add_child(key_of(0, action, 0))
del root, node
print("freed")
"""


def test_a_deep_tree_is_freed_without_harm() -> None:
    careful = os.environ | {"PYTHONMALLOC": "debug"}  # stops the process on a write outside a block
    command = [sys.executable, "-c", DEEP]
    process = subprocess.run(
        command, check=False, cwd=PROJECT_ROOT, env=careful, capture_output=True, text=True
    )
    assert (process.returncode, process.stdout) == (0, "freed\n"), process.stderr[:500]
