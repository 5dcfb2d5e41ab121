"""Tables to play on: positions made by hand in words, orders as players write them, whole games from a seed.

``race`` makes a position, in which what chance gives is told beside each order; ``start`` sets a game up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
import scenes

from adjudicator.core.engine import Outcome
from adjudicator.core.frozen import change
from adjudicator.files import typed
from adjudicator.games.great_race.components import CardId, Components, SpaceId, TileId
from adjudicator.games.great_race.positions import Position, SeatAt, TileAt
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import Assistants, Crew
from adjudicator.testing.orders import read

SEATS = ("red", "blue", "green", "yellow")
HOUSE = typed.read(Components, (Path(__file__).parent / "set.json").read_text(encoding="utf-8"))
"""A set of its own, so that the tests of the rules stand when the house set is balanced anew."""


class Race(scenes.Scene):
    """A race that moves on with every order, written as players write them."""

    rules: ClassVar[Any] = RULESET

    def crew(self, seat: str) -> Crew:
        return self.state.crew(seat)

    def order(self, words: Any) -> Any:
        """Return the order that ``words`` are, if they are words."""
        if not isinstance(words, str):
            return words
        order = read(RULESET, words)
        assert order is not None, words
        return order

    def send(self, seat: str, *orders: Any, draws: Any = ()) -> Outcome:
        return super().send(seat, *map(self.order, orders), draws=draws)

    def refused(self, seat: str, words: str) -> tuple[str, str]:
        """Return the code and the rule by which the order in ``words`` is refused, without a trace."""
        return self.code_and_rule(self.refuse(seat, self.order(words)))

    def says_no(self, seat: str, words: str) -> Any:
        """Return the problem with an order that may be given out of turn or be unknown."""
        order = self.order(words)
        problem = RULESET.validate(self.config, order) or RULESET.refusal(self.config, self.state, seat, order)
        assert problem is not None, words
        return problem

    def words(self, seat: str) -> list[str]:
        """Return the legal orders in words."""
        return [RULESET.language.text(order) for order in self.legal(seat)]

    def gauges(self, seat: str) -> tuple[int, int, int]:
        """Return fuel, engine and chassis."""
        crew = self.crew(seat)
        return crew.fuel, crew.engine, crew.chassis


def _seat(seat: str, fields: dict[str, Any]) -> SeatAt:
    given = dict(fields)
    hand = tuple(map(CardId, given.pop("hand", "").split()))
    slots = ("scouts", "mechanics", "escort", "funding")
    plan = Assistants(**{slot: given.pop(slot, 0) for slot in slots})
    return SeatAt(seat=seat, hand=hand, assistants=plan, **given)


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that the tests of the rules play with."""
    return HOUSE


@pytest.fixture(scope="session")
def narrow(house: Components) -> Components:
    """Return the component set with a board of two cities and one blank space between them."""
    board, keep = house.boards[0], {"Algiers": ("E2",), "E2": ("Algiers", "Cape-Town"), "Cape-Town": ("E2",)}
    spaces = (
        change(space, next=tuple(map(SpaceId, keep[space.id])), lane=[*keep].index(space.id) + 1)
        for space in board.spaces
        if space.id in keep
    )
    return change(house, boards=(change(board, spaces=tuple(spaces), lines=()),))


@pytest.fixture(scope="session")
def position() -> Callable[..., Position]:
    """Make a position: seats with the fields of ``SeatAt`` and slots, cards and ``tiles`` in words (``E2 sand``)."""

    def make(tiles: str = "", removed: str = "", discards: str = "", **fields: Any) -> Position:
        words = tiles.split()
        laid = [TileAt(space=SpaceId(space), tile=TileId(tile)) for space, tile in zip(words[::2], words[1::2], strict=True)]
        seats = [_seat(seat, fields.pop(seat)) for seat in SEATS if seat in fields]
        return Position(
            seats=tuple(seats),
            tiles=tuple(laid),
            removed=tuple(map(TileId, removed.split())),
            discards=tuple(map(CardId, discards.split())),
            **fields,
        )

    return make


@pytest.fixture
def race(position: Any) -> Callable[..., Race]:
    """Make a position, see ``position``; it is the turn of red unless said otherwise, and blue has a mechanic."""

    def make(
        *,
        parts: Components = HOUSE,
        options: dict[str, str] | None = None,
        outcomes: str = "",
        version: int = 0,
        **given: Any,
    ) -> Race:
        usual = {} if "stage" in given else {"mechanics": 1}
        given = {"red": usual, "blue": usual, **given}
        if "stage" not in given:
            given.setdefault("turn", "red")
        seats = tuple(seat for seat in SEATS if seat in given)
        placed = position(**given)
        return Race.begin(seats, parts, options or {}, position=placed, outcomes=outcomes.split(), version=version)

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Race]:
    """Set a game up by the recorded ``outcomes``, or from a ``seed``."""

    def make(seats: int, outcomes: str = "", seed: int | None = None, **options: str) -> Race:
        return Race.begin(SEATS[:seats], HOUSE, options, outcomes=outcomes.split(), seed=seed)

    return make
