"""Cards and counters on a table: before each seat, and in the middle."""

from __future__ import annotations

from adjudicator.core.values import Value
from adjudicator.games.checkpoint_charlie.components import Face


class Feature(Value):
    """One feature of a person as text (``no hat``): the person has the ``look`` or, if it ``is_missing``, does not."""

    text: str
    look: Face
    is_missing: bool = False


class Card(Value):
    """An open card: its ``label``, as orders name it, and the ``features`` of the person on it.

    ``remark`` is short (``3/4``); ``pieces`` are the seats whose pieces lie on the card.
    """

    label: str
    features: tuple[Feature, ...] = ()
    remark: str = ""
    pieces: tuple[str, ...] = ()


class Cards(Value):
    """Cards that lie together, under a name: side by side, or, if it ``is_pile``, on each other, the last on top.

    ``down`` is the number of cards face down with them, ``told`` a text about all cards if their labels do not give it.
    """

    label: str
    cards: tuple[Card, ...] = ()
    is_pile: bool = False
    down: int = 0
    told: str = ""


class Counter(Value):
    """A counter: ``text`` describes it, and it shows a ``mark`` of a few characters or a ``feature`` (face down: neither).

    ``ground`` is the name of its colour.
    """

    text: str
    mark: str = ""
    feature: Feature | None = None
    ground: str = ""


class Counters(Value):
    """Counters that lie together, under a name; ``told`` is a text about all if the texts of each do not give it."""

    label: str
    counters: tuple[Counter, ...] = ()
    told: str = ""


class Place(Value):
    """A place before one ``seat`` (empty: in the middle): a title, rows of label and value, counters, cards."""

    title: str
    seat: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    counters: tuple[Counters, ...] = ()
    cards: tuple[Cards, ...] = ()

    def name_of(self, label: str) -> str:
        """Return the name of the things with a ``label`` here."""
        return f"{self.title}'s {label}" if self.seat and label else label


class Tableau(Value):
    """The table, place by place; the places of seats all show the same kinds of things.

    The other fields are words for open cards: for several, for one, for the subjects of its features, for a piece on it
    (``accused by``), for its remark (``matches``).
    """

    title: str
    places: tuple[Place, ...]
    cards: str = "Cards"
    card: str = "card"
    features: tuple[str, ...] = ()
    pieces: str = "piece"
    remark: str = ""
