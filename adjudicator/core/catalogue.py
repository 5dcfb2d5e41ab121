"""List a component set field by field, for games without their own catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from adjudicator.core.drawing import Columns, Drawing, Fields, Shape
from adjudicator.core.values import Value


def listed_set(components: Any) -> Drawing:
    """Return a drawing of ``components``: its single values, then a table for each of its lists."""
    values = {name: getattr(components, name) for name in components.__struct_fields__}
    single = tuple((_title(name), _words(value)) for name, value in values.items() if not _is_list_of_parts(value))
    tables = (listed_parts(name, value) for name, value in values.items() if _is_list_of_parts(value))
    return Drawing((Fields("Component set", single), *tables))


def listed_parts(name: str, parts: Sequence[Any]) -> Shape:
    """Return ``parts``, values of one kind, as a table under ``name``, with a column for each field that has values."""
    names = [*parts[0].__struct_fields__]
    shown = [name for name in names if any(getattr(part, name) not in (None, "", ()) for part in parts)]
    rows = tuple(tuple(_words(getattr(part, name)) for name in shown) for part in parts)
    return Columns(f"{_title(name).capitalize()} ({len(parts)})", tuple(map(_title, shown)), rows)


def _is_list_of_parts(value: Any) -> bool:
    return (
        isinstance(value, tuple) and bool(value) and len({type(part) for part in value}) == 1 and isinstance(value[0], Value)
    )


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


def _title(name: str) -> str:
    return name.replace("_", " ")
