"""Cards and counters as they lie on a table: before each seat, and in the middle."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.frozen import frozen


class Look(StrEnum):
    """Something that is seen of a person on a card; each is drawn with a shape or a pattern of its own."""

    HAT = "hat"
    GLASSES = "glasses"
    RAINCOAT = "raincoat"
    SWEATER = "sweater"
    GREY = "grey"
    ORANGE = "orange"
    NEWSPAPER = "newspaper"


@frozen
class Feature:
    """One thing about a person, in words (``no hat``): the ``look`` that is there, or, if it ``is_missing``, is not."""

    text: str
    look: Look
    is_missing: bool = False


@frozen
class Card:
    """A card that lies open: its ``label``, as orders name it, and the ``features`` of the person on it.

    ``remark`` is short (``3/4``); ``pieces`` are the seats whose pieces lie on the card.
    """

    label: str
    features: tuple[Feature, ...] = ()
    remark: str = ""
    pieces: tuple[str, ...] = ()


@frozen
class Cards:
    """Cards that lie together, under a name: side by side, or, if it ``is_pile``, on each other, the last on top.

    ``down`` is how many more lie there face down, ``told`` what is said of all if their labels do not say it.
    """

    label: str
    cards: tuple[Card, ...] = ()
    is_pile: bool = False
    down: int = 0
    told: str = ""


@frozen
class Counter:
    """A counter: ``text`` says what it is, on it stands a ``mark`` of a few characters or a ``feature``; face down: neither.

    ``ground`` is the name of its colour.
    """

    text: str
    mark: str = ""
    feature: Feature | None = None
    ground: str = ""


@frozen
class Counters:
    """Counters that lie together, under a name; ``told`` is what is said of all if the texts of each do not say it."""

    label: str
    counters: tuple[Counter, ...] = ()
    told: str = ""


@frozen
class Place:
    """What lies before one ``seat`` (empty: in the middle): a title, rows of label and value, counters, cards."""

    title: str
    seat: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    counters: tuple[Counters, ...] = ()
    cards: tuple[Cards, ...] = ()


@frozen
class Tableau:
    """What lies on the table, place by place; those of seats are alike in what they tell.

    The others are words for open cards: what several are called, what one is, what its features tell of, what it means that
    a piece lies on it (``accused by``), what its remark says (``matches``).
    """

    title: str
    places: tuple[Place, ...]
    cards: str = "Cards"
    card: str = "card"
    features: tuple[str, ...] = ()
    pieces: str = "piece"
    remark: str = ""
