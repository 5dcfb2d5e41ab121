"""Drawings of a position or a component set: pictures (scenes) with their legends, and tables, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from adjudicator.core.values import Value
from adjudicator.scenes import Legend, Scene


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

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The pictures among the shapes."""
        return tuple([shape for shape in self.shapes if isinstance(shape, Scene)])


def table(title: str, headings: tuple[str, ...], rows: Iterable[Iterable[Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` of any values as a table: ``None`` becomes an empty cell, the items of a tuple share a cell.

    With ``is_counted`` the title gives the number of rows: ``Cars (6)``.
    """
    cells = tuple(
        tuple(" ".join(map(str, cell)) if isinstance(cell, tuple) else "" if cell is None else str(cell) for cell in row)
        for row in rows
    )
    return Columns(f"{title} ({len(cells)})" if is_counted else title, headings, cells)


def records(title: str, rows: Iterable[Mapping[str, Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` (at least one), each a mapping from headings to values, as a table (see ``table``)."""
    listed = list(rows)
    return table(title, tuple(listed[0]), (row.values() for row in listed), is_counted=is_counted)


def box(components: Any, *shapes: Shape) -> Drawing:
    """Return the contents of a box: the name and note of a component set, then ``shapes`` of its parts."""
    return Drawing((Fields("", ((components.name, components.note),)), *shapes))


def listed_set(components: Any) -> Drawing:
    """Return a drawing of ``components``: its single values, then a table for each of its lists of parts of one kind."""
    single, tables = list[tuple[str, str]](), list[Shape]()
    for name in components.__struct_fields__:
        parts, title = getattr(components, name), name.replace("_", " ")
        if isinstance(parts, tuple) and len({*map(type, parts)}) == 1 and isinstance(parts[0], Value):
            # A column for each field that has values.
            used = [
                one for one in parts[0].__struct_fields__ if any(getattr(part, one) not in (None, "", ()) for part in parts)
            ]
            rows = tuple(tuple(_words(getattr(part, one)) for one in used) for part in parts)
            headings = tuple(one.replace("_", " ") for one in used)
            tables.append(Columns(f"{title.capitalize()} ({len(parts)})", headings, rows))
        else:
            single.append((title, _words(parts)))
    return Drawing((Fields("Component set", tuple(single)), *tables))


def _words(value: Any) -> str:
    """Return ``value`` as text: the items of a list with commas, the fields of a nested part with dashes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value).replace("_", " ")
    if isinstance(value, Value):
        return "–".join(filter(None, (_words(getattr(value, name)) for name in value.__struct_fields__)))
    if isinstance(value, (tuple, list)):
        return ", ".join(map(_words, value))
    if isinstance(value, dict):
        return " ".join(f"{_words(key)}={_words(item)}" for key, item in value.items())
    return "" if value is None else str(value)
