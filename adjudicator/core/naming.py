"""Name the values of a position, and describe changes of an amendment: ``set red's clock from 31 to 32``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.phrases import secret_words
from adjudicator.core.ruleset import Unit, account_label
from adjudicator.core.values import Value, canonical_text, hints_of

if TYPE_CHECKING:
    from adjudicator.core.rules import AnyRules

_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


class Places(Value):
    """The names of the places of a list, in order, noted in its type: ``Annotated[tuple[Tile, ...], Places(CELLS)]``."""

    names: tuple[str, ...]


class Naming(Value):
    """A ruleset's names: its ``unit``, the field of a seat's ``account``, and the ``places`` in lists of its state."""

    unit: Unit
    account: str
    places: Mapping[str, tuple[str, ...]]

    def is_account(self, word: str, member: str) -> bool:
        """Return whether ``word`` names the account of a seat, and ``member`` is the field of that account."""
        return member == self.account != "" and word in (member, *self.unit[:2], account_label(self.unit))

    def called(self, document: Any, path: str) -> str:
        """Return the name of the value at ``path`` of a state: ``red's hand`` for a seat's, else its path as in `amend`."""
        place, owner, words = document, "", ""
        for key, number in _STEP.findall(path):
            if key:
                place = place.get(key) if isinstance(place, dict) else None
                words += f".{key}" if words else key
                continue
            index, places = int(number), self.places.get(words, ())
            place = place[index] if isinstance(place, list) and index < len(place) else None
            known = item_name(place)
            if known is not None and known[0] == "seat":
                owner, words = known[1], ""
            elif index < len(places):
                words += f"[{places[index]}]"
            else:
                words += f"[{known[1] if known is not None else number}]"
        if owner and self.is_account(words, words):
            words = account_label(self.unit)
        return (f"{owner}'s {words}" if owner and words else owner or words).replace("_", " ")


def secret_words_at(config: Any, state: Any, path: str, viewer: str) -> tuple[str, str] | None:
    """Return title and words of what ``viewer`` sees at ``path`` of ``state``; ``None`` if no field on the way has any."""
    place: Any = state
    owner = ""
    for field, number in _STEP.findall(path):
        if number:
            place = place[int(number)]
            continue
        owner = getattr(place, "seat", owner)
        kind: Any = type(place)
        said, value = secret_words(kind, field), getattr(place, field, None)
        if said is not None:
            whose = "your " if owner == viewer else f"{owner}'s " if owner else ""
            return f"{whose}{said.title or field.replace('_', ' ')}", said.words(config, value)
        if not isinstance(value, Value) and not isinstance(value, tuple):
            return None
        place = value
    return None


def naming_of(rules: AnyRules) -> Naming:
    """Return the names that ``rules`` use."""
    return Naming(rules.meta.unit, rules.state.account, _places(rules.types.state))


@cache
def _places(state: type) -> Mapping[str, tuple[str, ...]]:
    notes = {name: getattr(hint, "__metadata__", ()) for name, hint in hints_of(state).items()}
    return {name: note.names for name, own in notes.items() for note in own if isinstance(note, Places)}


def item_name(item: Any) -> tuple[str, str] | None:
    """Return the member that identifies an ``item`` of a list, with its value: the first one that is a text."""
    if not isinstance(item, dict):
        return None
    return next(((key, value) for key, value in item.items() if isinstance(value, str) and value), None)


def change_words(name: str, before: Any, after: Any) -> str:
    """Return the change of the value called ``name`` from ``before`` to ``after`` (plain values) as a phrase.

    It is empty if both are the same as text, such as a hidden value and an empty list.
    """
    if isinstance(before, list) and isinstance(after, list):
        taken, put = list(_beyond(before, after)), list(_beyond(after, before))
        if taken and not put:
            return f"took {_items(taken)} out of {name}"
        if put and not taken:
            return f"put {_items(put)} into {name}"
    was, is_ = value_words(before), value_words(after)
    return "" if was == is_ else f"set {name} from {was} to {is_}"


def _beyond(items: list[Any], others: list[Any]) -> Iterator[Any]:
    """Yield the ``items`` that are not in ``others``, counting repeated items."""
    left = list(others)
    for item in items:
        if item in left:
            left.remove(item)
        else:
            yield item


def _items(items: list[Any]) -> str:
    """Return the items that came or went as text; if the viewer sees none of them (``None``), only their number."""
    return ", ".join(map(value_words, items)) if any(item is not None for item in items) else f"{len(items)} unseen"


def value_words(value: Any) -> str:
    """Return a plain ``value`` as text: lists with commas, members by their names."""
    if value is None or value == []:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(value_words, value))
    if isinstance(value, dict):
        return " ".join(f"{key} {value_words(item)}" for key, item in value.items())
    return value if isinstance(value, str) else canonical_text(value)
