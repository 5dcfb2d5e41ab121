"""Find the places and the tokens of a scene, and describe them in sentences, for readers who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.core.phrases import listed
from adjudicator.core.remember import Recall
from adjudicator.core.values import Value
from adjudicator.scenes.scene import Element, Frame, Group, Scene, Token

NOWHERE: Final = Frame(0, 0, 0, 0)


class Thing(Value):
    """A place, a token or a cell of a table; its rectangle is ``NOWHERE`` if no mark can be there. A place has no ``token``.

    ``name`` of a token is that of the place where it lies; a cell is ``within`` its row.
    """

    name: str
    id: str
    frame: Frame
    token: Token | None = None
    holds: Any = None
    told: str = ""
    within: str = ""


_FOUND: Final = Recall()
"""The things in groups and scenes, by identity: most of them stay from one position to the next, and are asked for again."""


def things(scene: Scene) -> tuple[Thing, ...]:
    """Return the places and the tokens of ``scene``, in the order in which they are drawn."""
    return _FOUND.result(id(scene), (scene,), _found, (*scene.parts, *scene.over))


def _found(parts: Iterable[Element]) -> tuple[Thing, ...]:
    found = list[Thing]()
    for one in parts:
        if isinstance(one, Group):
            found += _FOUND.result(id(one), (one,), _inside, one)
        elif isinstance(one, Token) and not one.is_key:
            told = f"{one.text} ({one.told or one.sign})"
            found.append(Thing(one.at, one.id, Frame(one.x, one.y, one.size, one.size), one, told=told))
    return tuple(found)


def _inside(one: Group) -> tuple[Thing, ...]:
    """Return the place that ``one`` is, if any, and the things in it."""
    inner = _found(one.parts)
    if one.told or one.frame is not None:
        inner = (Thing(one.name or one.id, one.id, one.frame or NOWHERE, None, one.holds, one.told), *inner)
    return tuple([_moved(thing, one) for thing in inner]) if one.x or one.y or one.scale != 1 else inner


def _moved(thing: Thing, by: Group) -> Thing:
    at, scale = thing.frame, by.scale
    if at is NOWHERE:
        return thing
    frame = Frame(by.x + at.x * scale, by.y + at.y * scale, at.width * scale, at.height * scale)
    return Thing(thing.name, thing.id, frame, thing.token, thing.holds, thing.told)


def describe(scene: Scene) -> list[str]:
    """Return sentences about ``scene``: what is ``told`` of it as a whole, then of each place, and who is there.

    Places of which it tells the same share a sentence. A token appears as ``red (car)``.
    """
    told, alike = dict[str, list[str]](), dict[str, list[str]]()
    for thing in things(scene):
        if thing.told:
            told.setdefault(thing.name, []).append(thing.told)
    for name, facts in told.items():
        alike.setdefault(", ".join(facts), []).append(name)
    places = ((_spans(names), facts) for facts, names in alike.items())
    return [f"{scene.told}."] * bool(scene.told) + [f"{names[:1].upper()}{names[1:]}: {facts}." for names, facts in places]


def _spans(names: Iterable[str]) -> str:
    """Return ``names`` as a list in which three or more with numbers in sequence are one span: ``space 3 to 7 and 9``."""
    runs = list[tuple[str, list[str]]]()
    for name in names:
        kind, _, number = name.rpartition(" ")
        if not number.isdecimal():
            runs.append((name, []))
        elif runs and runs[-1][0] == kind and runs[-1][1] and int(number) == int(runs[-1][1][-1]) + 1:
            runs[-1][1].append(number)
        else:
            runs.append((kind, [number]))
    told, before = list[str](), ""
    for kind, run in runs:
        shown = [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [*run] or [kind]
        told += [f"{kind} {shown[0]}" if run and kind not in ("", before) else shown[0], *shown[1:]]
        before = kind if run else ""
    return listed(told)
