"""Law of the Dice: cards are played for their power or enacted as laws that dice set off.
Whoever has most of the suit that a count asks for wins a point, and three points win."""

from games.engines.law_of_the_dice.engine import LawOfTheDiceEngine

ENGINE = LawOfTheDiceEngine()
