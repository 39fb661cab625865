"""Duality: cards with black and white lines, laid so that a path of one's own colour crosses the
table. Whoever first joins both sides of it wins."""

from games.engines.duality.engine import DualityEngine

ENGINE = DualityEngine()
