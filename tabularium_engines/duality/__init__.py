"""Duality: a card game in which black and white lines form paths. The first path to cross the table
wins for the player of its colour."""

from tabularium_engines.duality.engine import DualityEngine

ENGINES = (DualityEngine(),)  # every version, oldest first
ENGINE = ENGINES[-1]
