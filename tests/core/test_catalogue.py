"""A component set is listed as it stands, whatever it is made of."""

from __future__ import annotations

from enum import Enum

from adjudicator.core.catalogue import listed_set
from adjudicator.core.drawing import Columns, Fields
from adjudicator.core.frozen import frozen


class Look(Enum):
    NO_HAT = "no_hat"


@frozen
class Part:
    id: str
    looks: tuple[Look, ...]
    worth: int | None = None
    is_open: bool = False


@frozen
class Box:
    id: str
    big_wheel: tuple[int, ...]
    parts: tuple[Part, ...]
    spare: tuple[Part, ...] = ()


def test_single_values_come_first_then_a_table_for_each_list() -> None:
    drawing = listed_set(Box("mine", (1, 2, 3), (Part("A", (Look.NO_HAT,)), Part("B", (), is_open=True))))
    single, table = drawing.shapes
    assert single == Fields("Component set", (("id", "mine"), ("big wheel", "1, 2, 3"), ("spare", "")))
    assert table == Columns("Parts (2)", ("id", "looks", "is open"), (("A", "no hat", "no"), ("B", "", "yes")))


def test_parts_within_parts_are_told_by_their_values() -> None:
    @frozen
    class Zone:
        id: str
        at: Part

    @frozen
    class Map:
        zones: tuple[Zone, ...]

    (_, table) = listed_set(Map((Zone("Z", Part("A", ())),))).shapes
    assert isinstance(table, Columns)
    assert table.rows == (("Z", "A–no"),)
