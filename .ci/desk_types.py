"""Write the types of the desk's requests, and of its Python's and a club's answers, for TypeScript, from their classes.

`python .ci/desk_types.py` writes adjudicator/desk/web/answers.d.ts, which only editors and `tsc` read.
"""

from __future__ import annotations

import json
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, get_type_hints

from msgspec import inspect

from adjudicator.desk.requests import REQUESTS, Refused
from adjudicator.serve.app import Receipt, SeatState

TARGET: Final = Path(__file__).resolve().parents[1] / "adjudicator" / "desk" / "web" / "answers.d.ts"
_PLAIN: Final = {
    **dict.fromkeys((inspect.IntType, inspect.FloatType), "number"),
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.BytesType: "Bytes",
}


class Types:
    """The types of TypeScript that were needed so far, each struct by its name."""

    def __init__(self) -> None:
        """Begin with none."""
        self.named: dict[str, str] = {}

    def of(self, found: inspect.Type) -> str:
        """Return the type of the JSON of ``found``."""
        match found:
            case inspect.Metadata(type=inner):
                return self.of(inner)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(map(self.of, types)))
            case inspect.EnumType(cls=cls):
                return " | ".join(json.dumps(one.value) for one in cls)
            case inspect.LiteralType(values=values):
                return " | ".join(map(json.dumps, values))
            case inspect.TupleType(item_types=types):
                return f"[{', '.join(map(self.of, types))}]"
            case (
                inspect.VarTupleType(item_type=item)
                | inspect.ListType(item_type=item)
                | inspect.CollectionType(item_type=item)
            ):
                return f"({self.of(item)})[]"
            case inspect.DictType(value_type=value):
                return f"Record<string, {self.of(value)}>"
            case inspect.NamedTupleType(fields=fields):
                return f"[{', '.join(f'{one.name}: {self.of(one.type)}' for one in fields)}]"
            case inspect.StructType(cls=cls, fields=fields):
                if cls.__name__ not in self.named:
                    self.named[cls.__name__] = ""
                    may_miss = cls.__struct_config__.omit_defaults
                    parts = [(one.encode_name, not one.required and may_miss, one.type) for one in fields]
                    tag = "" if found.tag is None else f"{found.tag_field}: {json.dumps(found.tag)}; "
                    inside = "; ".join(f"{name}{'?' * is_missing}: {self.of(kind)}" for name, is_missing, kind in parts)
                    self.named[cls.__name__] = f"export interface {cls.__name__} {{ {tag}{inside} }}"
                return str(cls.__name__)
        return _PLAIN.get(type(found), "unknown")


def types() -> str:
    """Return the text of the file: each struct, and for each request its values and its answer."""
    made, requests = Types(), []
    for name, method in REQUESTS.items():
        hints: dict[str, Any] = get_type_hints(method)
        answer = made.of(inspect.type_info(hints["return"]))
        given = [one for one in signature(method).parameters.values() if one.name not in ("self", "files")]
        values = "; ".join(
            f"{one.name}{'?' * (one.default is not Parameter.empty)}: {made.of(inspect.type_info(hints[one.name]))}"
            for one in given
        )
        requests.append(f"  {name}: {{ values: {{ {values} }}; answer: {answer} }};")
    for other in (Refused, SeatState, Receipt):
        made.of(inspect.type_info(other))
    return "\n".join(
        (
            "// Made by .ci/desk_types.py: the requests of the desk, and the answers of its Python and of a club.",
            "export interface Bytes { bytes: Uint8Array<ArrayBuffer> }",
            *made.named.values(),
            "export interface Requests {",
            *requests,
            "}",
            "",
        )
    )


if __name__ == "__main__":
    TARGET.write_text(types(), encoding="utf-8", newline="\n")
