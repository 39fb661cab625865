"""Does a node find its children again, however many there are?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ai.search.node import Node, key_of

KEYS = st.tuples(st.integers(0, 15), st.integers(0, 2**40 - 1), st.integers(0, 2**16 - 1))


@given(st.sets(KEYS, max_size=300), KEYS)
def test_children_are_found_again(
    keys: set[tuple[int, int, int]], other: tuple[int, int, int]
) -> None:
    node = Node(0)
    children = {key: node.add(key_of(*key)) for key in keys}
    assert all(node.child(key_of(*key)) is child for key, child in children.items())
    assert all(child.seat == seat for (seat, _, _), child in children.items())
    assert node.child(key_of(*other)) is children.get(other)


def test_a_mean_and_its_doubt() -> None:
    node = Node(0)
    for reward in (1.0, 0.0, 0.5, 0.5):
        node.learn(reward)
    assert (node.visits, node.mean, node.doubt) == (4, 0.5, 0.5)
