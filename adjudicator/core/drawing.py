"""Drawings of a position: pictures (scenes) with their legends, and tables, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.core.scene import Legend, Scene
from adjudicator.core.values import Value


class Fields(Value):
    """A heading with rows of label and value."""

    title: str
    rows: tuple[tuple[str, str], ...]


class Columns(Value):
    """A table with a heading for each column; if it ``is_pictured``, a picture of the same drawing shows the same words."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_pictured: bool = False


Shape = Scene | Legend | Fields | Columns


class Drawing(Value):
    """Shapes from top to bottom."""

    shapes: tuple[Shape, ...]


def table(title: str, headings: tuple[str, ...], rows: Iterable[Iterable[Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` of any values as a table: ``None`` becomes an empty cell, the items of a tuple share a cell.

    With ``is_counted`` the title gives the number of rows: ``Cars (6)``.
    """
    cells = tuple([tuple([cell if type(cell) is str else _cell(cell) for cell in row]) for row in rows])
    return Columns(f"{title} ({len(cells)})" if is_counted else title, headings, cells)


def records(title: str, rows: Iterable[Mapping[str, Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` (at least one), each a mapping from headings to values, as a table (see ``table``)."""
    listed = list(rows)
    return table(title, tuple(listed[0]), (row.values() for row in listed), is_counted=is_counted)


def box(components: Any, *shapes: Shape) -> Drawing:
    """Return the contents of a box: the name and note of a component set, then ``shapes`` of its parts."""
    return Drawing((Fields("", ((components.name, components.note),)), *shapes))


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
