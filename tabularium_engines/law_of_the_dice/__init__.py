"""Law of the Dice: cards are played for their power or enacted as laws that dice trigger. A count
gives a point for the most cards of a suit, and three points win."""

from tabularium_engines.law_of_the_dice.engine import LawOfTheDiceEngine
from tabularium_engines.law_of_the_dice.v2_engine import LawOfTheDiceV2Engine
from tabularium_engines.law_of_the_dice.v3_engine import LawOfTheDiceV3Engine

# every version, oldest first
ENGINES = (LawOfTheDiceEngine(), LawOfTheDiceV2Engine(), LawOfTheDiceV3Engine())
ENGINE = ENGINES[-1]
