"""Describe a scene in sentences, for readers who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudicator.core.phrases import listed
from adjudicator.scenes.scene import Element, Group, Scene, Token


def describe(scene: Scene) -> list[str]:
    """Return sentences about ``scene``: what is ``told`` of it as a whole, then of each place, and who is there.

    Places share a sentence if the same is told of all of them. A token is told as ``red (car)``.
    """
    told, alike = dict[str, list[str]](), dict[str, list[str]]()
    for name, fact in _facts((*scene.parts, *scene.over)):
        told.setdefault(name, []).append(fact)
    for name, facts in told.items():
        alike.setdefault(", ".join(facts), []).append(name)
    places = ((_spans(names), facts) for facts, names in alike.items())
    return [f"{scene.told}."] * bool(scene.told) + [f"{names[:1].upper()}{names[1:]}: {facts}." for names, facts in places]


def _facts(parts: Iterable[Element]) -> Iterator[tuple[str, str]]:
    """Yield what is told of each place and of each token, with the name of the place, in the order of drawing."""
    for one in parts:
        if isinstance(one, Group):
            if one.told:
                yield one.name or one.id, one.told
            yield from _facts(one.parts)
        elif isinstance(one, Token) and not one.is_key:
            yield one.at, f"{one.text} ({one.told or one.sign})"


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
