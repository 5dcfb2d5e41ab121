"""The games among the examples, kept a second time by hand: costs, clocks, order of play, last chances.

Nothing of the program's rules is used here, only the public log, the tiles of the component set and the rules as they are
written. What the log tells is believed; what it charges, and who may act, is worked out again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "checkpoint-rally"
SIDES = "NESW"
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BORDERS = {"N": "north", "E": "east", "S": "south", "W": "west"}
BONUS = {2: (2, 0), 4: (4, 2, 1, 0)}

Row = dict[str, Any]


@dataclass
class Book:
    """What somebody at the table would keep on paper."""

    parts: dict[str, Any]
    border: dict[str, list[str]] = field(default_factory=dict)
    board: dict[str, tuple[str, int]] = field(default_factory=dict)
    cars: dict[str, dict[str, int]] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)
    hands: dict[str, int] = field(default_factory=dict)
    markers: list[str] = field(default_factory=list)  # those on top first, least time first
    starting: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    over: set[str] = field(default_factory=set)  # whose last chance is over
    acting: str = ""

    @property
    def tiles(self) -> dict[str, dict[str, Any]]:
        return {tile["id"]: tile for tile in self.parts["tiles"]}

    def set_up(self, told: list[str]) -> None:
        text = "\n".join(told)
        pieces = {piece["id"]: piece for piece in self.parts["borders"]}
        for side, piece, face in re.findall(r"(north|east|south|west) (\w+) \((front|back)\)", text):
            # Pieces are written clockwise; here each side is kept west to east, or north to south.
            self.border[side] = pieces[piece][face][:: -1 if side in ("south", "west") else 1]
        for tile, cell, rot in re.findall(r"(\w+) is dealt to (\w+), turned (\d+)°", text):
            self.board[cell] = (tile, int(rot))
        for seat, costs in re.findall(r"(\w+) starts in .* drives the .* \((.*)\)", text):
            self.cars[seat] = {road: int(cost) for road, cost in re.findall(r"(\w+) (\d)", costs)}
        order = re.search(r"order of play: (.*)", text)
        assert order is not None
        self.markers = order[1].split()
        self.starting = order[1].split()
        self.clocks = dict.fromkeys(self.markers, 0)
        self.hands = dict.fromkeys(self.markers, 0)
        self.count_drawn(told)

    def count_drawn(self, told: list[str]) -> None:
        for seat, count in re.findall(r"(\w+) draws (\d) tile", "\n".join(told)):
            self.hands[seat] += int(count)

    # A tile as it lies ----------------------------------------------------------------------------------------------

    def terrain(self, tile: str, rot: int, side: str) -> str:
        terrain: str = self.tiles[tile]["sides"][(SIDES.index(side) - rot // 90) % 4]
        return terrain

    def has_exit(self, tile: str, rot: int, side: str) -> bool:
        return SIDES[(SIDES.index(side) - rot // 90) % 4] in self.tiles[tile]["exits"]

    def place_cost(self, tile: str, cell: str, rot: int) -> int:
        """CR-P1 to CR-P4."""
        off = 0
        for side, (east, south) in STEPS.items():
            facing = SIDES[(SIDES.index(side) + 2) % 4]
            column, row = "ABCDE".index(cell[0]) + east, int(cell[1]) - 1 + south
            if not (0 <= column < 5 and 0 <= row < 5):
                along = "ABCDE".index(cell[0]) if side in "NS" else int(cell[1]) - 1
                off += self.border[BORDERS[side]][along] == self.terrain(tile, rot, side)
                continue
            beside = self.board.get("ABCDE"[column] + str(row + 1))
            if beside is not None:
                off += self.terrain(*beside, facing) == self.terrain(tile, rot, side)
                same_road = self.tiles[beside[0]]["road"] == self.tiles[tile]["road"]
                off += same_road and self.has_exit(*beside, facing) and self.has_exit(tile, rot, side)
        if cell in self.board:
            old, new = self.tiles[self.board[cell][0]], self.tiles[tile]
            off += len(set(old["sides"]) & set(new["sides"])) + (old["road"] == new["road"])
        return max(0, 4 - off)

    def enter(self, seat: str, cell: str) -> int:
        """CR-M1, CR-C5: the minutes for the tile entered; a road must lead there."""
        here = self.cells.get(seat)
        if here is not None:
            way = ("ABCDE".index(cell[0]) - "ABCDE".index(here[0]), int(cell[1]) - int(here[1]))
            (side,) = [side for side, step in STEPS.items() if step == way]
            assert self.has_exit(*self.board[here], side)
            assert self.has_exit(*self.board[cell], SIDES[(SIDES.index(side) + 2) % 4])
        self.cells[seat] = cell
        return self.cars[seat][self.tiles[self.board[cell][0]]["road"]]

    # A turn ---------------------------------------------------------------------------------------------------------

    def due(self) -> str:
        """CR-S6, CR-T1, CR-F2: whose action it is."""
        if self.starting:
            return self.starting[0]
        return self.acting or next(seat for seat in self.markers if seat not in self.over.union(self.finished))

    def cost(self, row: Row) -> int:
        """Return the minutes of an action, laying the tile or driving the car on the way."""
        seat, order, told = row["seat"], row["order"], "\n".join(row["told"])
        verb = order.split()[0]
        self.hands[seat] += verb == "TAKE"
        if verb in ("DRAW", "REFRESH", "TAKE"):
            return {"DRAW": 2, "REFRESH": 1, "TAKE": 0}[verb]
        minutes = 0
        laid = re.search(rf"{seat} lays (\w+) at (\w+), turned (\d+)°", told)
        if laid is not None:
            tile, cell, rot = laid[1], laid[2], int(laid[3])
            assert cell not in self.cells.values()  # no tile is laid under a car
            minutes += self.place_cost(tile, cell, rot)
            self.hands[seat] -= 1 - order.endswith(" gps")
            self.board[cell] = (tile, rot)
        entered = re.findall(rf"{seat} (?:enters the board at|drives from \w+ to) (\w+)", told)
        minutes += sum(self.enter(seat, cell) for cell in entered)
        if f"{seat} finishes" in told:
            minutes -= BONUS[len(self.clocks)][len(self.finished)]
            self.finished.append(seat)
            del self.cells[seat]
        return minutes

    def spend(self, seat: str, minutes: int) -> int:
        """CR-T1, CR-T2: move the marker onto the others that lie there; return how many draw lines it passed."""
        before, after = self.clocks[seat], self.clocks[seat] + minutes
        if minutes:
            self.clocks[seat] = after
            self.markers.remove(seat)
            place = sum(self.clocks[other] < after for other in self.markers)
            self.markers.insert(place, seat)
        return sum(1 for minute in range(before + 1, after + 1) if minute % 15 == 0)

    def end_chance(self, seat: str) -> str:
        """CR-F2: after an action of the last chance return whose marker has been passed, or nothing."""
        counts = [other for other in self.markers if other != seat and other not in self.over]
        return next((other for other in counts if self.clocks[other] < self.clocks[seat]), "")

    def discard(self, row: Row) -> None:
        """CR-T2: exactly what is over the limit of 3, free of charge."""
        self.hands[row["seat"]] -= len(row["order"].split()) - 1
        assert (self.hands[row["seat"]], row["min"]) == (3, 0)

    def act(self, row: Row) -> None:
        """Check one action of the log against the book, and enter it."""
        seat, told = row["seat"], row["told"]
        assert seat == self.due()
        # Whoever holds too many tiles discards before anybody acts; only the start hand of four is placed from.
        assert all(count <= 3 for other, count in self.hands.items() if other not in self.starting)
        assert row["before"] in (None, self.clocks[seat])
        minutes = self.cost(row)
        lines = self.spend(seat, minutes)
        assert (row["min"], sum(part["amount"] for part in row["why"])) == (minutes, minutes)
        assert row["after"] in (None, self.clocks[seat])
        if seat in self.finished:
            lines = 0  # no tile is drawn any more
            self.acting = ""
        drawn = "" if not lines else f"{seat} draws {lines} tile{'s' if lines > 1 else ''} (CR-T2)"
        assert [words for words in told if words.endswith("(CR-T2)")] == ([drawn] if drawn else [])
        self.count_drawn(told)
        if self.starting:
            self.starting.remove(seat)
        if self.acting == seat:
            passed = self.end_chance(seat)
            over = f"the last chance of {seat} is over: it has passed {passed}"
            assert [words for words in told if "is over:" in words and "game" not in words] == ([over] if passed else [])
            if passed:
                self.over.add(seat)
                self.acting = ""

    def go_on(self, told: list[str]) -> None:
        """CR-F2, CR-F3: the next last chance, or the end."""
        begun = [words for words in told if words.endswith("begins")]
        left = [seat for seat in self.markers if seat not in self.over.union(self.finished)]
        if self.finished and not self.acting:
            if left:
                assert begun == [f"the last chance of {left[0]} begins"]
                self.acting = left[0]
            else:
                winner = min(self.finished, key=lambda seat: (self.clocks[seat], self.finished.index(seat)))
                assert told[-1] == f"the game is over: {winner} wins"
        else:
            assert begun == []


@pytest.mark.parametrize("name", ["two-players", "four-players"])
def test_the_log_says_what_a_bookkeeper_would_have_written(name: str) -> None:
    house = files("adjudicator.games.checkpoint_rally") / "data" / "house.json"
    rows = [json.loads(line) for line in (FOLDER / name / "log.jsonl").read_text("utf-8").splitlines()]
    book = Book(json.loads(house.read_text("utf-8")))
    book.set_up(rows[0]["told"])
    actions = 0
    for row in rows[1:]:
        if row["order"].startswith("DISCARD"):
            book.discard(row)
            continue
        book.act(row)
        book.go_on(row["told"])
        actions += 1
    assert actions >= 40
    assert re.search("wins$", rows[-1]["told"][-1])
