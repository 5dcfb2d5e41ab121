"""Tables to play on: positions made by hand, whole games from a seed.

Test modules are imported by path, so everything they share comes as a fixture: ``scene`` makes a position whose random
outcomes are told beside each order, ``deal`` a set-up, ``start`` a game from a seed, ``who`` finds a suspect by its looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import pytest
import scenes

from adjudicator.core.engine import Outcome
from adjudicator.core.order import Instruction, Sheet
from adjudicator.games.checkpoint_charlie.board import table_of
from adjudicator.games.checkpoint_charlie.components import Components, Face
from adjudicator.games.checkpoint_charlie.orders import Accuse
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.state import DECK, POOL, Agent, Position, SeatAt
from adjudicator.games.checkpoint_charlie.tableau_text import place_rows

SEATS = ("red", "blue", "green", "yellow", "white")
HOUSE = scenes.shipped(Components)
LOOKS = {suspect.id: suspect.looks for suspect in HOUSE.suspects}


def _who(words: str) -> str:
    """Return the suspect with the five looks in ``words``; a word that is missing is the trait's second face."""
    faces = words.split()
    wanted = tuple(
        front if front in faces else back
        for front, back in zip(
            ("hat", "glasses", "raincoat", "grey", "newspaper"),
            ("no_hat", "no_glasses", "sweater", "orange", "no_newspaper"),
            strict=True,
        )
    )
    return next(name for name, looks in LOOKS.items() if tuple(looks) == wanted)


class Hunt(scenes.Scene):
    """A game that moves on with every order; what chance gives is told beside the order."""

    rules: ClassVar[Any] = RULESET

    def agent(self, seat: str) -> Agent:
        return self.state.agent(seat)

    @property
    def deck(self) -> tuple[str, ...]:
        return DECK.left(self.config, self.state)

    @property
    def pool(self) -> tuple[str, ...]:
        return POOL.left(self.config, self.state)

    @property
    def spent(self) -> set[str]:
        return {marker for agent in self.state.agents for marker in agent.spent}

    def seen(self, viewer: str | None, seat: str) -> Agent:
        """Return what ``viewer`` sees of ``seat``."""
        return self.view(viewer).state.agent(seat)

    def cell(self, viewer: str | None, seat: str, heading: str) -> str:
        """Return what ``viewer`` is told under ``heading`` of what lies before ``seat``."""
        places = table_of(self.config, self.view(viewer)).places
        return dict(place_rows(next(place for place in places if place.seat == seat)))[heading]

    def asked(self) -> list[str]:
        return [seat for seat, _ in self.due()]

    def sheets(self, sheets: Mapping[str, Sequence[Any]]) -> Outcome:
        """Adjudicate several sheets at once."""
        return self.adjudicate(*(Sheet(seat, tuple(map(Instruction, orders))) for seat, orders in sheets.items()))

    def accusable(self, seat: str) -> set[str]:
        return {order.suspect for order in self.legal(seat) if isinstance(order, Accuse)}

    def redacted(self, viewer: str | None) -> list[Any]:
        """Return all events so far as ``viewer`` sees them."""
        return [self.rules.redact(self.config, event, viewer) for link in self.game.journal for event in link.entry.events]

    def next_seat(self, due: Sequence[tuple[str, str]], rng: Random) -> str:
        """Return any of those who are asked."""
        return rng.choice(due)[0]

    def pick(self, seat: str, rng: Random) -> Any:
        """Return a legal order: mostly a wait in a window, so that rounds have some length."""
        orders = self.legal(seat)
        if self.due()[0][1] == "window" and rng.random() < 0.9:
            return orders[0]
        return rng.choice(orders)


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that is shipped."""
    return HOUSE


@pytest.fixture(scope="session")
def who() -> Callable[[str], str]:
    """Find a suspect by its looks, see ``_who``."""
    return _who


@pytest.fixture(scope="session")
def position() -> Callable[..., Position]:
    """Make a position: seats with the fields of ``SeatAt``, and ``turned``: cards for row and pile by the clue."""

    def make(fields: Mapping[str, Any], seats: Mapping[str, Mapping[str, Any]]) -> Position:
        at = []
        for seat, given in seats.items():
            values = dict(given)
            turned = values.pop("turned", "").split()
            clue = values.get("clue")
            if turned:
                values["row"] = tuple(name for name in turned if Face(clue) in LOOKS[name])
                values["pile"] = tuple(name for name in turned if Face(clue) not in LOOKS[name])
            values["markers"] = tuple(values.get("markers", "").split())
            at.append(SeatAt(seat=seat, **{**values, "clue": Face(clue) if clue else None}))
        return Position(seats=tuple(at), **{**fields, "public": tuple(map(Face, fields.get("public", ())))})

    return make


@pytest.fixture
def scene(position: Any) -> Callable[..., Hunt]:
    """Make a position, see ``position``; ``outcomes`` is what chance gives before the first order, a window is open."""

    def make(
        *,
        options: Mapping[str, str] | None = None,
        outcomes: str = "",
        parts: Components = HOUSE,
        version: int = 0,
        **given: Any,
    ) -> Hunt:
        seats = {seat: given.pop(seat) for seat in SEATS if seat in given}
        placed = position({"is_window": not outcomes, **given}, seats)
        return Hunt.begin(tuple(seats), parts, options or {}, position=placed, outcomes=outcomes.split(), version=version)

    return make


@pytest.fixture(scope="session")
def deal() -> Callable[..., Hunt]:
    """Set a game up by the recorded ``outcomes``, by ``version`` of the rules (0: the present one)."""

    def make(seats: int, outcomes: str, parts: Components = HOUSE, version: int = 0, **options: str) -> Hunt:
        return Hunt.begin(SEATS[:seats], parts, scenes.dotted(options), outcomes=outcomes.split(), version=version)

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Hunt]:
    """Set a game up from a seed, by ``version`` of the rules (0: the present one)."""

    def make(seats: int, seed: int, version: int = 0, **options: str) -> Hunt:
        return Hunt.begin(SEATS[:seats], HOUSE, scenes.dotted(options), seed=seed, version=version)

    return make
