"""Define parts of orders: losses, helps on the way, repairs and drives."""

from __future__ import annotations

from typing import Any, ClassVar

from adjudicator.game import Order, frozen


@frozen
class Losing:
    """The gauge that loses parts ``first``, or (empty) how many parts each gauge loses."""

    first: str = ""
    engine: int = 0
    chassis: int = 0

    def text(self) -> str:
        """Return the words after ``losing``."""
        exact = [f"{gauge} {many}" for gauge, many in (("engine", self.engine), ("chassis", self.chassis)) if many]
        return self.first or " ".join(exact) or "engine 0"


@frozen
class Aid:
    """A help on the way: ``at`` one space, or (empty) wherever the vehicle needs it."""

    help: str
    at: str = ""

    def text(self) -> str:
        """Return the words of an order for it."""
        return f"{self.help} at {self.at}" if self.at else self.help


def card_words(card: str) -> str:
    """Return how orders name a card: ``Trail hunter`` for ``trail-hunter``."""
    return card.replace("-", " ").capitalize()


def exact(losses: list[Any]) -> dict[str, int | None]:
    """Return the numbers of ``losses``, pairs of gauge and number, without those that have no number."""
    return {gauge: many for gauge, many in losses if many is not None}


def gauges(engine: int | None, chassis: int | None) -> tuple[str, ...]:
    """Return the words for the gauges with a number."""
    given = (("engine", engine), ("chassis", chassis))
    return tuple(f"{gauge} {many}" for gauge, many in given if many is not None)


@frozen
class Mending(Order):
    """A repair: the points for each gauge (``None``: the engine first), and where they come from."""

    verb: ClassVar[str]
    engine: int | None = None
    chassis: int | None = None
    parts: int = 0
    toolbox: int = 0
    buy: int = 0

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        given: dict[str, int] = {}
        for name, many in children:
            given[name] = given.get(name, 0) + many
        return cls(**given)

    def text(self) -> str:
        used = [f"{what} {many}" for what, many in (("parts", self.parts), ("toolbox", self.toolbox)) if many]
        bought = [f"buy {self.buy}"] if self.buy else []
        return " ".join((self.verb, *gauges(self.engine, self.chassis), *(("using", *used) if used else ()), *bought))


@frozen
class Driving(Order):
    """A drive: to ``space``, ``then`` on; by sea or air along a ``line``, with so many Transport cards.

    ``losing`` names the gauge that loses parts, ``using`` the helps (none: no help; ``None``: ask where it matters).
    """

    verb: ClassVar[str]
    space: str
    then: tuple[str, ...] = ()
    line: str = ""
    transports: int = 0
    losing: Losing | None = None
    using: tuple[Aid, ...] | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        spaces = [child for child in children if isinstance(child, str)]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        losing = next((child for child in children if isinstance(child, Losing)), None)
        using, fares = given.get("using", (None, 0))
        return cls(spaces[0], tuple(spaces[1:]), given.get("line", ""), fares, losing, using)

    def text(self) -> str:
        line = (self.line,) if self.line else ()
        losing = (f"losing {self.losing.text()}",) if self.losing is not None else ()
        return " ".join((self.verb, *line, self.space, *self.then, *losing, *using_words(self.using, self.transports)))


def using_words(using: tuple[Aid, ...] | None, fares: int = 0) -> tuple[str, ...]:
    """Return the words for the helps on the way, and for so many Transport cards."""
    words = [aid.text() for aid in using or ()]
    if fares:
        words.append(f"transport {fares}")
    return (f"using {', '.join(words)}",) if words else ("using nothing",) if using is not None else ()


def losing_of(losses: list[Any]) -> Losing:
    """Read ``losses``: a gauge without a number loses parts first."""
    many = exact(losses)
    return Losing("", many.get("engine") or 0, many.get("chassis") or 0) if many else Losing(losses[0][0])
