"""Hold a car, what it meets in a move, and what a move makes of it (RR-M, RR-F)."""

from __future__ import annotations

from typing import NamedTuple

from adjudicator.games.rally_round.components import CardId, SquareId
from adjudicator.games.rally_round.route import Post, Section
from adjudicator.games.rally_round.ways import Way


class Turn(NamedTuple):
    """An order for one turn at ``speed``: over the places of ``via``, ``using`` a hazard card.

    ``lands`` says where the move ends if its square is taken: ``ahead`` or ``behind`` (empty: ahead).
    """

    speed: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    lands: str = ""


class Fault(NamedTuple):
    """A fault of 30 marks by ``rule``: ``words`` give the reason, ``control`` the control that counts as missed, if any.

    ``is_absence``: the car never came to it.
    """

    rule: str
    words: str
    control: str = ""
    is_absence: bool = False


class Passed(NamedTuple):
    """A car met the next passage control, correctly or not."""

    control: str


class Loss(NamedTuple):
    """Turns that the car must miss: off the road at ``square``, faster than the ``limit``, or flooded there."""

    square: SquareId
    turns: int
    limit: int
    rule: str


class Move(NamedTuple):
    """The result of a move.

    The car drives over ``squares``, and then rolls over ``rolled``. ``met`` is what happened at controls and signs in the
    drive, ``rolling`` what happened there in the roll.
    The car ``stops`` where a Starting Speed is needed next. ``seconds`` is the time of the turn if it ends the section,
    ``banned`` the square that disqualified the car.
    """

    squares: Way
    rolled: Way = ()
    met: tuple[Fault | Passed, ...] = ()
    rolling: tuple[Fault | Passed, ...] = ()
    stops: bool = False
    loss: Loss | None = None
    draws: bool = False
    seconds: int | None = None
    banned: SquareId | None = None


class Car(NamedTuple):
    """A car in its ``section``: the ``trail`` of squares up to its own, and its speed (0: it stands).

    ``met`` is how many PCs it has met, ``faulted`` the controls that have cost it 30 marks.
    """

    section: Section
    trail: Way
    speed: int = 0
    met: int = 0
    faulted: tuple[str, ...] = ()

    @property
    def at(self) -> SquareId:
        """The square it stands on."""
        return self.trail[-1]

    @property
    def behind(self) -> SquareId | None:
        """The square that it came from, ``None`` if it may leave in any direction."""
        return behind_on(self.trail)

    @property
    def due(self) -> Post:
        """The next control that it has to visit."""
        return self.section.posts[self.met]

    def after(self, move: Move, speed: int) -> Car:
        """Return the car after a ``move`` at ``speed`` that ended neither the section nor the rally."""
        met, trail = (*move.met, *move.rolling), (*self.trail, *move.squares)
        return self._replace(
            trail=rolled_trail(trail, move.rolled) if move.rolled else trail,
            speed=0 if move.stops or move.loss else speed,
            met=self.met + sum(isinstance(one, Passed) for one in met),
            faulted=(*self.faulted, *(one.control for one in met if isinstance(one, Fault) and one.control)),
        )


def behind_on(trail: Way) -> SquareId | None:
    """Return the square that a car on ``trail`` came from, ``None`` if it may leave in any direction."""
    return trail[-2] if len(trail) > 1 else None


def rolled_trail(trail: Way, rolled: Way) -> Way:
    """Return the ``trail`` of a car after it ``rolled``: back along it, or forward."""
    is_back = rolled[:1] == trail[-2:-1]
    for square in rolled:
        back = trail[:-1] if trail[-2:-1] == (square,) else (square,)
        trail = back if is_back else (*trail, square)
    return trail
