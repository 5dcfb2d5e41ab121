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
    return [f"{scene.told}."] * bool(scene.told) + [f"{_spans(names)}: {facts}." for facts, names in alike.items()]


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
    """Return ``names`` as a list in which three or more with numbers in sequence are one span: ``space 3 to 7``."""
    runs = list[list[str]]()
    for name in names:
        kind, _, number = name.rpartition(" ")
        if runs and number.isdecimal() and runs[-1][-1] == f"{kind} {int(number) - 1}".lstrip():
            runs[-1].append(name)
        else:
            runs.append([name])
    return listed(one for run in runs for one in (run if len(run) < 3 else [f"{run[0]} to {run[-1].rpartition(' ')[2]}"]))
