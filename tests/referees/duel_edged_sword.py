"""The referee of Duel-Edged Sword, written from the printed rules and RULES.md alone.

Chance decides the deal of each round, with the flipped card and the first leader, each card that a
player draws, and the cards aside. All else follows, and is checked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar, Final

from tests.referees.runner import Json, Outcome, Referee, Seen, Viewer

NORTH, EAST, SOUTH, WEST = range(4)
SEATS: Final = range(4)
NAMES: Final = ("North", "East", "South", "West")
PATTERNS: Final = {"F": "filled", "P": "partial", "H": "hollow"}
COLOURS: Final = {"R": "red", "G": "green", "B": "blue"}
SHAPES: Final = {"C": "circle", "S": "square", "T": "triangle"}
COMPLETES: Final = [p + c + s for p in PATTERNS for c in COLOURS for s in SHAPES]
SINGLES: Final = [*PATTERNS.values(), *COLOURS.values(), *SHAPES.values()]
TRUTHS: Final = ("true", "false")
DECK: Final = Counter(COMPLETES * 1 + SINGLES * 4 + list(TRUTHS) * 10)
ROWS, ROW_CARDS = 4, 5
THIRTEEN: Final = 13
CARDS_DEALT: Final = 62  # of 83, after 20 in the rows and the flipped one
MOST_ROUNDS: Final = 20
OUT, CUT = 3, 4  # of a kind
TEAMS: Final = {
    "true": [[NORTH, EAST], [SOUTH, WEST]],
    "false": [[NORTH, WEST], [EAST, SOUTH]],
}
LAY: Final = "duel_edged_sword.place"
OPEN: Final = "duel_edged_sword.open_row"


def is_complete(card: str) -> bool:
    """Whether a card scores."""
    return card in COMPLETES


def is_truth(card: str) -> bool:
    """Whether a card is a True or a False."""
    return card in TRUTHS


def mode_of(flipped: str) -> str:
    """How the players are grouped in a round by its flipped card."""
    if is_complete(flipped):
        return "collaborative"
    return "teams" if is_truth(flipped) else "combative"


@dataclass
class Laid:
    """A card in a row."""

    card: str
    is_up: bool = True


@dataclass
class Player:
    """A player's pile, standing and collection in this round."""

    pile: int
    standing: str = "in"
    completes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)

    def collect(self, cards: list[str]) -> None:
        """Take cards; too many edges of a kind end the player's round (R14)."""
        self.completes += filter(is_complete, cards)
        self.edges += [card for card in cards if not is_complete(card)]
        most = max(Counter(self.edges).values(), default=0)
        if most >= OUT:
            self.standing = "cut" if most >= CUT else "out"

    @property
    def kept(self) -> int:
        """The Completes that count at the end of the round."""
        return len(self.completes) if self.standing in ("in", "out") else 0


class DuelEdgedSwordReferee(Referee):
    """A match of Duel-Edged Sword."""

    slug: ClassVar = "duel_edged_sword"

    def start(self, seen: Seen) -> None:
        self.number = 0
        self.points = [0] * 4
        self.challenge = {"rounds": 0, "met": 0, "kept": 0, "sought": 0}
        self.modes: list[str] = []
        self.last_round: Json = None
        self.is_over = False
        self.leader = seen.views[None]["leader"]  # R7: chance
        self.deal(seen)
        self.pass_turn(self.leader, seen, busts=[])

    # -- the deal -----------------------------------------------------------------------------

    def deal(self, seen: Seen) -> None:
        """Begin a round with the cards of the first view of it."""
        self.number += 1
        dealt = self.facts_of_deal(seen)
        self.rows = [[Laid(card) for card in row] for row in dealt]
        self.flipped: str = seen.views[None]["flipped"]
        self.mode = mode_of(self.flipped)
        self.modes.append(self.mode)
        self.teams = TEAMS[self.flipped] if self.mode == "teams" else []
        self.players = [Player(size) for size in self.pile_sizes()]
        self.aside = CARDS_DEALT - sum(player.pile for player in self.players)
        self.dropped: list[str] = []
        self.shown = Counter([self.flipped, *(card for row in dealt for card in row)])
        self.table_completes = sum(map(is_complete, (card for row in dealt for card in row)))
        assert self.options["mode"] in ("flipped", self.mode), "R6"
        assert self.shown <= DECK, "the deck has fewer of these cards"

    def facts_of_deal(self, seen: Seen) -> list[list[str]]:
        """The rows that chance dealt, each as the set-up permits (R1)."""
        rows = [[laid["card"] for laid in row] for row in seen.views[None]["rows"]]
        assert [len(row) for row in rows] == [ROW_CARDS] * ROWS
        for row in rows:
            singles = [card for card in row if card in SINGLES]
            assert len(singles) == len(set(singles)), "two Singles of a kind in a row"
            assert sum(map(is_truth, row)) <= 1, "two Trues or Falses in a row"
        return rows

    def pile_sizes(self) -> list[int]:
        """How many cards each player is dealt (R3, R4)."""
        if self.options["deal"] == "thirteen":
            return [THIRTEEN] * 4
        return [16 - (seat - self.leader) % 2 for seat in SEATS]

    # -- turns --------------------------------------------------------------------------------

    def pass_turn(self, first: int, seen: Seen, busts: list[Json]) -> None:
        """Let the first player clockwise from `first` who is in and has cards draw one. `busts`
        are those who drew a card and could not lay it, in order."""
        while (seat := self.next_seat(first)) is not None:
            self.turn = seat
            self.players[seat].pile -= 1
            if not (busts and busts[0]["seat"] == seat):
                self.draw(seen.views[seat]["card"])
                return
            self.bust(seat, busts.pop(0)["card"])
            first = seat + 1
        self.end_round(seen)

    def next_seat(self, first: int) -> int | None:
        """The next player who is in and has cards; R15: without one, the round is over."""
        order = [(first + step) % 4 for step in SEATS]
        able = [s for s in order if self.players[s].standing == "in" and self.players[s].pile]
        return able[0] if able else None

    def draw(self, card: str) -> None:
        """The player on turn holds this card, which must still be unseen, and can be laid."""
        assert self.shown[card] < DECK[card], f"a {card} too many"
        self.card = card
        assert self.places(), f"{NAMES[self.turn]} cannot lay {card}, and is not bust"

    def bust(self, seat: int, card: str) -> None:
        """R13: a True or False that fits nowhere puts its player out of the round."""
        self.card = card
        assert not self.places(), f"{NAMES[seat]} can lay {card}, and is bust"
        self.leave(seat, "bust")
        self.dropped.append(card)
        self.shown[card] += 1

    def leave(self, seat: int, standing: str) -> None:
        """Take a player out of the round: the rest of the pile is not played."""
        player = self.players[seat]
        player.standing = standing
        self.aside += player.pile
        player.pile = 0

    def places(self) -> list[tuple[int, str]]:
        """Every place for the card of the player on turn: a row from 1, and the end or "open"."""
        return [
            (number, side)
            for number, row in enumerate(self.rows, 1)
            for side in self.ends(row)
            if not (row and is_truth(self.card) and is_truth(row[self.index(side)].card))
        ]

    def ends(self, row: list[Laid]) -> list[str]:
        """R8: the ends of a row. In version 2 those of a single card are one place."""
        if not row:
            return ["open"]
        return ["left"] if len(row) == 1 and self.version > 1 else ["left", "right"]

    @staticmethod
    def index(side: str) -> int:
        """The index of the card at an end of a row."""
        return 0 if side == "left" else -1

    def legal_actions(self, seat: int) -> list[Json]:
        if self.is_over or seat != self.turn:
            return []
        sort = "complete" if is_complete(self.card) else self.card
        return [
            {"type": OPEN, "card": sort, "row": row}
            if side == "open"
            else {"type": LAY, "card": sort, "row": row, "side": side}
            for row, side in self.places()
        ]

    def take(self, seat: int, action: Json, seen: Seen) -> None:
        self.shown[self.card] += 1
        self.table_completes += is_complete(self.card)
        row = self.rows[action["row"] - 1]
        from_right = action.get("side") == "right"
        if from_right:
            row.reverse()
        row.insert(0, Laid(self.card))
        self.settle(seat, row)
        if from_right:
            row.reverse()
        busts = [news for news in seen.news(None) if news["kind"] == "bust"]
        self.pass_turn(seat + 1, seen, busts)
        assert not busts, "a player is bust out of turn"

    def settle(self, seat: int, row: list[Laid]) -> None:
        """The effect of the card at the front of a row: a match, else a pairing, else none."""
        own = row[0].card
        behind = [index for index in range(1, len(row)) if row[index].is_up]
        matches = [i for i in behind if row[i].card == own and not is_complete(own)]
        pairs = [i for i in behind if is_truth(own) and is_truth(row[i].card)]
        if matches:
            collected = [laid.card for laid in row[: matches[0] + 1]]
            del row[: matches[0] + 1]
            self.collect(seat, collected)
        elif pairs:
            for laid in row[1 : pairs[0]]:
                assert not is_truth(laid.card), "R9"
                laid.is_up = False

    def collect(self, seat: int, cards: list[str]) -> None:
        """Give a player a collection, which may end their round."""
        self.players[seat].collect(cards)
        if (standing := self.players[seat].standing) != "in":
            self.leave(seat, standing)

    # -- the end of a round, and of the match --------------------------------------------------

    def end_round(self, seen: Seen) -> None:
        """Score the round; then deal the next, if there is one."""
        kept = [player.kept for player in self.players]
        points, sought = self.points_of_round(kept), self.sought(seen)
        self.points = [sum(pair) for pair in zip(self.points, points, strict=True)]
        if self.mode == "collaborative":
            self.add_challenge(sum(kept), sought)
        self.last_round = {
            "number": self.number,
            "mode": self.mode,
            "flipped": self.flipped,
            "sought": sought,
            "points": points,
            "kept": kept,
            "standings": [player.standing for player in self.players],
        }
        self.check_news(seen, points)
        self.is_over = self.is_last_round()
        if not self.is_over:
            self.leader = (self.leader + 1) % 4
            self.deal(seen)
            self.pass_turn(self.leader, seen, busts=[])

    def points_of_round(self, kept: list[int]) -> list[int]:
        """The points of each player; R17: both of a team have all of their team's."""
        if self.mode == "collaborative":
            return [0] * 4
        sides = self.teams or [[seat] for seat in SEATS]
        return [sum(kept[s] for side in sides if seat in side for s in side) for seat in SEATS]

    def sought(self, seen: Seen) -> int:
        """R16: how many Completes the challenge covers; 0 if there is none."""
        if self.mode != "collaborative":
            return 0
        if self.options["deal"] == "all":
            return len(COMPLETES) - 1  # the flipped one takes no part
        if self.version == 1:
            return self.table_completes
        (revealed,) = [news["cards"] for news in seen.news(None) if news["kind"] == "revealed"]
        assert len(revealed) == CARDS_DEALT - 4 * THIRTEEN
        assert self.shown + Counter(revealed) <= DECK, "a card aside has been seen"
        return len(COMPLETES) - 1 - sum(map(is_complete, revealed))

    def add_challenge(self, kept: int, sought: int) -> None:
        """Add a collaborative round to the totals of the match."""
        self.challenge["rounds"] += 1
        self.challenge["met"] += kept == sought
        self.challenge["kept"] += kept
        self.challenge["sought"] += sought

    def check_news(self, seen: Seen, points: list[int]) -> None:
        """R22: the news name the winners of the round, and none without a point."""
        (text,) = [news["text"] for news in seen.news(None) if news["kind"] == "scored"]
        best = max(points)
        winners = [NAMES[seat] for seat in SEATS if best and points[seat] == best]
        *first, last = winners or ["nobody"]
        names = f"{', '.join(first)} and {last} win" if first else f"{last} wins"
        assert (f", {names} it: " in text) == (self.mode != "collaborative"), text

    def is_last_round(self) -> bool:
        """R18, R19: whether the match is over after this round."""
        target = self.options["target"]
        if not target or self.options["mode"] == "collaborative":
            return self.number == int(self.options["rounds"])
        return max(self.points) >= target or self.number == MOST_ROUNDS

    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        return Outcome(tuple(self.winners()), tuple(self.points))

    def winners(self) -> list[int]:
        """The players with the most points: all four if no round was a contest (R18)."""
        return [seat for seat in SEATS if self.points[seat] == max(self.points)]

    # -- views --------------------------------------------------------------------------------

    def view(self, viewer: Viewer) -> dict[str, Json]:
        return {
            "seat": viewer,
            "options": self.options,
            "to_act": [] if self.is_over else [self.turn],
            "round": self.number,
            "leader": self.leader,
            "turn": self.turn,
            "mode": self.mode,
            "flipped": self.flipped,
            "teams": self.teams,
            "card": self.card if viewer == self.turn and not self.is_over else None,
            "rows": [[{"card": laid.card, "is_up": laid.is_up} for laid in r] for r in self.rows],
            "players": [self.player_view(player) for player in self.players],
            "aside": self.aside,
            "dropped": self.dropped,
            "points": self.points,
            "challenge": self.challenge,
            "last_round": self.last_round,
            "winners": self.winners() if self.is_over else [],
        }

    @staticmethod
    def player_view(player: Player) -> Json:
        """A player's part of every view."""
        return {
            "pile": player.pile,
            "standing": player.standing,
            "completes": player.completes,
            "constraints": player.edges,
        }

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        players = [
            player | {name: sorted(player[name]) for name in ("completes", "constraints")}
            for player in view["players"]
        ]
        teams = sorted(map(sorted, view["teams"]))
        return view | {"players": players, "teams": teams, "dropped": sorted(view["dropped"])}
